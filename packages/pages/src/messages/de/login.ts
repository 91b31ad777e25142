import type { loginMessages as english, loginScriptMessages as englishScript } from '../en/login.js';
import type { Translation } from '../translation.js';

export const loginMessages: Translation<typeof english> = {
  title: 'Anmelden',
  acceptInvitation: 'um Ihre Einladung anzunehmen',
  continueTo: 'weiter zu {brand}',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  submit: 'Anmelden',
  signingIn: 'Anmeldung läuft…',
  or: 'oder',
  usePasskey: 'Mit Passkey anmelden',
  byMail: 'Per E-Mail anmelden',
  forgotPassword: 'Passwort vergessen?',
  newHere: 'Neu hier?',
  createAccount: 'Konto erstellen',
  otherAccount: 'Anderes Konto verwenden',
  moment: 'Einen Moment',
  checking: 'Ihre Sitzung wird geprüft…',
  signedIn: 'Sie sind angemeldet',
  signedInAs: 'Angemeldet als {email}.',
  signOut: 'Abmelden',
  signedOut: 'Sie sind abgemeldet',
  mayClose: 'Sie können diese Seite schließen.',
  signInAgain: 'Erneut anmelden',
};

export const loginScriptMessages: Translation<typeof englishScript> = {
  stepNotOffered:
    'Sie sind noch nicht angemeldet: Dieses Konto verlangt einen zweiten Schritt, den diese Seite nicht anbietet. Melden Sie sich in Ihrer App an.',
  stepExpired:
    'Der zweite Schritt hat zu lange gedauert, oder es gab zu viele falsche Codes. Geben Sie Ihr Passwort erneut ein.',
  cookiesBlocked:
    'Ihr Browser blockiert die Cookies dieser Seite. Erlauben Sie sie und melden Sie sich erneut an.',
  stillSignedIn:
    'Sie sind weiterhin angemeldet, weil der Dienst nicht erreichbar ist. Bitte versuchen Sie es erneut.',
  noPasskey:
    'Es wurde kein Passkey verwendet. Falls Sie für dieses Konto keinen haben, melden Sie sich mit Ihrem Passwort an.',
  passkeyFailed: 'Dieser Passkey funktioniert hier nicht. Melden Sie sich mit Ihrem Passwort an.',
  sendKeepLink: 'Link erneut senden',
  keepLinkSent: 'Falls ein Konto mit dieser Adresse bald gelöscht wird, ist der Link unterwegs.',
};
