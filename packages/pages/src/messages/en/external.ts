/** The title of the page to which providers send the browser back. */
export const externalMessages = {
  title: 'Sign in',
};

/** Texts of the buttons. */
export const providerMessages = {
  continueWith: (label: string) => `Continue with ${label}`,
  /** The reason for a sign-in that links the account of one by a service. */
  linkLead: (label: string) =>
    `An account with your email address exists. Sign in to it as before; then ${label} is linked and signs you in, too.`,
};

/** Texts of the page to which providers send the browser back. */
export const externalScriptMessages = {
  moment: 'One moment',
  asking: 'Your sign-in is being checked…',
  tryAgain: 'Try again',
  anotherWay: 'Sign in another way',
  toAccount: 'Back to your account',
  signInAgain: 'Sign in again',
  elsewhereTitle: 'Go back to where you began',
  elsewhere:
    'This sign-in was begun in another tab or browser, or has ended already. Go back to that tab, or sign in here.',
  signInHere: 'Sign in here',
  notSignedIn: 'You are not signed in',
  notConfirmed: 'You are not confirmed',
  notLinked: (label: string) => `${label} is not linked`,
  linked: (label: string) => `${label} is linked`,
  linkedText: (label: string) => `You are signed in. From now on ${label} signs you in, too.`,
  cancelled: (label: string) => `You cancelled at ${label}. Nothing has changed.`,
  failed: (label: string) => `${label} did not confirm who you are. Please try again.`,
  over: 'It took too long, or was ended already. Please begin again.',
  unavailable: (label: string) =>
    `${label} or this service does not respond at the moment. Please try again in a moment.`,
  noAccount: (label: string) =>
    `No account belongs to this sign-in. If you have one, sign in another way and link ${label} on the page of your account. If not, ask your administrator for one.`,
  changed: 'Your account has changed meanwhile. Please try again.',
  taken: (label: string) => `This ${label} account is linked to a user already. Choose another one.`,
  limit: 'You have linked as many as you can. Unlink one first.',
  tooOld: (label: string) => `To link ${label}, sign in again.`,
  sessionEnded: 'Your session has ended. Sign in again to go on.',
  notOwner: (label: string) =>
    `You are signed in, but ${label} was not linked: it took too long, or this account has another email address than yours at ${label}.`,
  stepExpired: 'The second step took too long, or had too many wrong codes. Please begin again.',
};

/** Texts of the accounts at other services on the account page. */
export const linkedMessages = {
  title: 'Linked accounts',
  lead: 'Accounts at other services that sign you in here.',
  none: 'No account is linked.',
  link: (label: string) => `Link ${label}`,
  off: 'This service is no longer offered, so it signs you in no more.',
  unlink: 'Unlink',
  unlinkOf: (label: string) => `Unlink ${label}`,
  unlinkTitle: (label: string) => `Unlink ${label}?`,
  unlinkText: (label: string) =>
    `${label} no longer signs you in, and the sessions that it began end. If this is one of them, you are signed out.`,
  unlinked: (label: string) => `${label} is unlinked.`,
  linked: (label: string) => `${label} is linked.`,
  confirmed: 'You are confirmed. Go on with what you wanted to do.',
  lastWay:
    'This is your only way to sign in. Set a password with "Forgot your password?" on the sign-in page, add a passkey, or link another account first.',
  limit: 'You have linked as many as you can. Unlink one first.',
  useProvider: (label: string) => `Confirm with ${label}`,
  providerLead: (label: string) =>
    `You go to ${label}, confirm who you are, and come back. Then do again what you wanted to do.`,
};
