import type { registerMessages as english, registerScriptMessages as englishScript } from '../en/register.js';
import { pluralIn } from '../plural.js';
import type { Translation } from '../translation.js';

const plural = pluralIn('de');

export const registerMessages: Translation<typeof english> = {
  title: 'Konto erstellen',
  fullName: 'Vollständiger Name',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  submit: 'Konto erstellen',
  submitting: 'Konto wird erstellt…',
  haveAccount: 'Sie haben bereits ein Konto?',
  signIn: 'Anmelden',
  taken: 'Mit dieser E-Mail-Adresse gibt es bereits ein Konto.',
  takenNext: '{signIn} oder {reset}.',
  takenSignIn: 'Melden Sie sich an',
  takenReset: 'setzen Sie Ihr Passwort zurück',
  checkMail: 'Prüfen Sie Ihre E-Mails',
  confirmByMail:
    'Wir haben einen Link an {email} gesendet. Öffnen Sie ihn und geben Sie das soeben gewählte Passwort ein, um Ihre Registrierung zu bestätigen.',
  confirmThenWait:
    'Wir haben einen Link an {email} gesendet. Öffnen Sie ihn, um Ihre Adresse zu bestätigen. Danach entscheidet die Administration über Ihre Registrierung.',
  spam: 'Das kann eine Minute dauern. Sehen Sie auch im Spam-Ordner nach.',
  waiting: 'Ihre Registrierung wartet auf Freigabe',
  waitingForMail:
    'Die Administration entscheidet darüber. Wir schreiben an {email}, sobald Sie sich anmelden können.',
  waitingWithLink:
    'Die Administration entscheidet darüber. Wir haben einen Link an {email} gesendet: Öffnen Sie ihn bitte, um Ihre Adresse zu bestätigen. Wir schreiben Ihnen, sobald Sie sich anmelden können.',
  waitingWithoutMail:
    'Die Administration entscheidet darüber. Nach der Freigabe können Sie sich als {email} anmelden.',
  resend: 'E-Mail erneut senden',
  otherEmail: 'Andere E-Mail-Adresse verwenden',
  done: 'Ihr Konto ist bereit',
  doneText: 'Sie können sich jetzt als {email} anmelden.',
};

export const registerScriptMessages: Translation<typeof englishScript> = {
  notAllowed:
    'Mit Adressen dieser Domain kann man sich hier nicht registrieren. Verwenden Sie eine andere Adresse oder bitten Sie Ihren Administrator um eine Einladung.',
  resent: 'Wir haben die E-Mail erneut gesendet.',
  resendIn: (seconds) =>
    plural(seconds, { one: 'Erneut senden in einer Sekunde', other: 'Erneut senden in {n} Sekunden' }),
};
