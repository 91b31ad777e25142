import type { mailedSignInMessages as english } from '../en/mailed-sign-in.js';
import type { Translation } from '../translation.js';

export const mailedSignInMessages: Translation<typeof english> = {
  lead: 'Sie erhalten eine E-Mail mit einem Link und einem Code. Sie brauchen kein Passwort.',
  email: 'E-Mail-Adresse',
  send: 'E-Mail senden',
  sending: 'Wird gesendet…',
  sentHeading: 'Sehen Sie in Ihr Postfach',
  sentLead:
    'Falls es zu {email} ein Konto gibt, ist eine E-Mail unterwegs. Öffnen Sie deren Link in diesem Browser, oder geben Sie den Code hier ein.',
  code: 'Code',
  codeHint: 'Acht Buchstaben und Ziffern aus der E-Mail',
  submit: 'Anmelden',
  signingIn: 'Anmeldung läuft…',
  wrongCode:
    'Dieser Code gilt nicht: Er ist falsch, wurde verwendet oder ist abgelaufen. Prüfen Sie ihn, oder lassen Sie die E-Mail erneut senden.',
  sendAgain: 'Erneut senden',
  sendAgainIn: (seconds: number) => `Erneut senden in ${seconds} s`,
  sentAgain: 'Die E-Mail ist erneut unterwegs.',
  otherEmail: 'Andere E-Mail-Adresse verwenden',
  otherWay: 'Anders anmelden',
  moment: 'Einen Moment',
  elsewhereHeading: 'Geben Sie diesen Code dort ein, wo Sie begonnen haben',
  elsewhere:
    'Sie haben die Anmeldung in einem anderen Browser oder auf einem anderen Gerät begonnen. Geben Sie dort diesen Code ein:',
  elsewhereWithoutCode:
    'Sie haben die Anmeldung in einem anderen Browser oder auf einem anderen Gerät begonnen. Geben Sie dort den Code aus der E-Mail ein.',
  warning:
    'Geben Sie den Code an niemanden weiter. Falls Sie ihn nicht angefordert haben, schließen Sie diese Seite: Niemand wird angemeldet.',
  unusableHeading: 'Dieser Link meldet Sie nicht an',
  unusable:
    'Er wurde verwendet, ist abgelaufen, oder eine neuere Anmeldung wurde begonnen. Falls Sie in einem anderen Browser begonnen haben, geben Sie dort den Code aus der E-Mail ein.',
  again: 'Neue E-Mail anfordern',
  tryAgain: 'Erneut versuchen',
  failedHeading: 'Sie sind nicht angemeldet',
  stepExpired:
    'Der zweite Schritt hat zu lange gedauert, oder es gab zu viele falsche Codes. Fordern Sie eine neue E-Mail an.',
};
