import type { secondStepMessages as english } from '../en/second-step.js';
import type { Translation } from '../translation.js';

export const secondStepMessages: Translation<typeof english> = {
  heading: 'Zwei-Faktor-Anmeldung',
  notLoaded:
    'Der nächste Schritt konnte nicht geladen werden. Prüfen Sie Ihre Verbindung, und versuchen Sie es erneut.',
};
