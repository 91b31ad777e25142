import type { actingMessages as english } from '../en/acting.js';
import type { Translation } from '../translation.js';

export const actingMessages: Translation<typeof english> = {
  title: 'Handeln für einen Benutzer',
  staff: 'Ein Mitglied des Teams',
  actsFor: (actor, user) => `${actor} handelt für ${user}`,
  reason: (reason) => `Grund: ${reason}`,
  left: (time) => `Endet in ${time}`,
  stop: 'Beenden',
  opening: 'Einen Moment…',
  openingText: 'Die Sitzung wird geöffnet.',
  failed: 'Die Sitzung konnte nicht geöffnet werden',
  used: 'Der Code ist verwendet oder abgelaufen. Fordern Sie in der Konsole einen neuen an.',
  notAllowed: 'Sie dürfen für diesen Benutzer nicht mehr handeln.',
  ended: 'Sie handeln nicht mehr für diesen Benutzer',
  endedText: 'Die Sitzung ist beendet. Sie können diesen Tab schließen.',
  toConsole: 'Zur Konsole',
};
