import type { stepUpMessages as englishStepUp, uiMessages as english } from '../en/ui.js';
import type { Translation } from '../translation.js';

export const uiMessages: Translation<typeof english> = {
  optional: 'optional',
  show: 'Anzeigen',
  hide: 'Verbergen',
  showPassword: 'Passwort anzeigen',
  hidePassword: 'Passwort verbergen',
  required: 'Füllen Sie dieses Feld aus.',
  invalidEmail: 'Geben Sie eine gültige E-Mail-Adresse ein.',
  tooShort: (count) => `Verwenden Sie mindestens ${count} Zeichen.`,
  cancel: 'Abbrechen',
  closeMessage: 'Meldung schließen',
  copied: 'Kopiert.',
  selected: 'Ausgewählt. Kopieren Sie den Text über das Menü Ihres Browsers.',
  tryAgain: 'Erneut versuchen',
  loading: 'Wird geladen…',
};

export const stepUpMessages: Translation<typeof englishStepUp> = {
  title: 'Bestätigen Sie Ihre Identität',
  lead: (email) =>
    `Diese Änderung verlangt eine Anmeldung, die nicht lange zurückliegt. Sie sind als ${email} angemeldet.`,
  checking: 'Einen Moment…',
  password: 'Passwort',
  code: 'Code',
  codeHint: 'Die 6 Ziffern, die Ihre Authenticator-App für dieses Konto anzeigt.',
  recoveryCode: 'Wiederherstellungscode',
  recoveryCodeHint: 'Einer der Codes, die Sie gespeichert haben. Jeder gilt einmal.',
  passkeyLead: 'Ihr Browser fragt nach Ihrem Passkey.',
  confirm: 'Bestätigen',
  usePassword: 'Passwort verwenden',
  useCode: 'Authenticator-App verwenden',
  useRecoveryCode: 'Wiederherstellungscode verwenden',
  usePasskey: 'Passkey verwenden',
  otherWays: 'Andere Möglichkeiten',
  wrongPassword: 'Dieses Passwort ist falsch.',
  wrongCode: 'Dieser Code ist falsch. Geben Sie den neuesten Code der App ein.',
  wrongRecoveryCode: 'Dieser Code ist falsch oder wurde schon verwendet.',
  wrongPasskey: 'Dieser Passkey gilt nicht für dieses Konto.',
  noMethod:
    'Dafür ist die Bestätigung in zwei Schritten nötig, die dieses Konto noch nicht hat. Richten Sie sie zuerst auf der Seite Ihres Kontos ein.',
};
