/** Texts of a session in which another person acts for the user. */
export const actingMessages = {
  title: 'Acting for a user',
  /** The name of an actor who has none. */
  staff: 'A member of staff',
  actsFor: (actor: string, user: string) => `${actor} acts for ${user}`,
  reason: (reason: string) => `Reason: ${reason}`,
  left: (time: string) => `Ends in ${time}`,
  stop: 'Stop acting',
  opening: 'One moment…',
  openingText: 'The session is being opened.',
  failed: 'The session could not be opened',
  used: 'The code is used or has expired. Ask for another one in the console.',
  notAllowed: 'You may not act for this user any more.',
  ended: 'You no longer act for this user',
  endedText: 'The session has ended. You can close this tab.',
  toConsole: 'Go to the console',
};
