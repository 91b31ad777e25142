import type { notFoundMessages as english } from '../en/not-found.js';
import type { Translation } from '../translation.js';

export const notFoundMessages: Translation<typeof english> = {
  title: 'Seite nicht gefunden',
  explanation:
    'Unter dieser Adresse gibt es keine Seite. Prüfen Sie die Adresse auf Tippfehler, oder machen Sie hier weiter.',
  goToApp: 'Zu {host}',
  signIn: 'Anmelden',
};
