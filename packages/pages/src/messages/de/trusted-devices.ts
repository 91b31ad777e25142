import type {
  trustChoiceMessages as englishChoice,
  trustedDeviceMessages as english,
} from '../en/trusted-devices.js';
import { pluralIn } from '../plural.js';
import type { Translation } from '../translation.js';

const plural = pluralIn('de');

export const trustChoiceMessages: Translation<typeof englishChoice> = {
  trust: (days) =>
    plural(days, {
      one: 'Auf diesem Gerät {n} Tag lang nicht mehr fragen',
      other: 'Auf diesem Gerät {n} Tage lang nicht mehr fragen',
    }),
  trustHint: 'Wählen Sie das nur auf einem eigenen Gerät.',
};

export const trustedDeviceMessages: Translation<typeof english> = {
  title: 'Vertraute Geräte',
  lead: 'Auf diesen Geräten melden Sie sich ohne Bestätigungscode an.',
  none: 'Sie vertrauen keinem Gerät.',
  unknownDevice: 'Unbekanntes Gerät',
  until: 'bis {time}',
  remove: 'Entfernen',
  removeOf: (device) => `${device} entfernen`,
  removed: 'Auf dem Gerät wird wieder nach einem Code gefragt.',
  removeAll: 'Alle entfernen',
  removeAllTitle: 'Alle vertrauten Geräte entfernen?',
  removeAllText: 'Bei der nächsten Anmeldung wird auf jedem nach einem Code gefragt. Sie bleiben angemeldet.',
  removedAll: 'Es gibt keine vertrauten Geräte mehr.',
};
