import type { frameMessages as english } from '../en/frame.js';
import type { Translation } from '../translation.js';

export const frameMessages: Translation<typeof english> = {
  needsScripts: 'Diese Seite benötigt JavaScript. Aktivieren Sie es und laden Sie die Seite neu.',
  terms: 'Nutzungsbedingungen',
  privacy: 'Datenschutz',
  support: 'Hilfe',
};
