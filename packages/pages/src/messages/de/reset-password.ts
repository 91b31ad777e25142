import type {
  resetPasswordMessages as english,
  resetPasswordScriptMessages as englishScript,
} from '../en/reset-password.js';
import { pluralIn } from '../plural.js';
import type { Translation } from '../translation.js';

const plural = pluralIn('de');

export const resetPasswordMessages: Translation<typeof english> = {
  title: 'Passwort zurücksetzen',
  moment: 'Einen Moment…',
  requestLead:
    'Geben Sie Ihre E-Mail-Adresse ein. Wir senden Ihnen einen Link, mit dem Sie Ihr Passwort zurücksetzen.',
  email: 'E-Mail-Adresse',
  send: 'Link senden',
  sending: 'Wird gesendet…',
  backToSignIn: 'Zurück zur Anmeldung',
  sentHeading: 'Sehen Sie in Ihrem Postfach nach',
  sentLead:
    'Falls es ein Konto für {email} gibt, erhalten Sie eine E-Mail mit einem Link. Das kann eine Minute dauern. Sehen Sie auch im Spam-Ordner nach.',
  sendAgain: 'Erneut senden',
  otherEmail: 'Andere E-Mail-Adresse verwenden',
  passwordHeading: 'Neues Passwort wählen',
  signedOutEverywhere: 'Sie werden auf allen Geräten abgemeldet.',
  signedOutAndPasskeys: 'Sie werden auf allen Geräten abgemeldet, und Ihre Passkeys werden entfernt.',
  newPassword: 'Neues Passwort',
  reset: 'Passwort zurücksetzen',
  resetting: 'Wird zurückgesetzt…',
  doneHeading: 'Ihr Passwort wurde zurückgesetzt',
  doneLead: 'Melden Sie sich mit Ihrem neuen Passwort an.',
  signIn: 'Anmelden',
  unusableHeading: 'Dieser Link ist abgelaufen oder wurde bereits verwendet',
  unusableLead: 'Fordern Sie einen neuen Link an, um Ihr Passwort zurückzusetzen.',
  requestNewLink: 'Neuen Link anfordern',
};

export const resetPasswordScriptMessages: Translation<typeof englishScript> = {
  sendAgainIn: (seconds) =>
    plural(seconds, {
      one: 'Erneut senden in einer Sekunde',
      other: 'Erneut senden in {n} Sekunden',
    }),
  sentAgain: 'Erneut gesendet.',
};
