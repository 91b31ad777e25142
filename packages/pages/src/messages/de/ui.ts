import type {
  liveMessages as englishLive,
  placeMessages as englishPlace,
  stepUpMessages as englishStepUp,
  uiMessages as english,
} from '../en/ui.js';
import type { Translation } from '../translation.js';

/** The thing to enter, by the name of the field in requests. */
const MISSING: Partial<Record<string, string>> = {
  email: 'Geben Sie Ihre E-Mail-Adresse ein.',
  password: 'Geben Sie Ihr Passwort ein.',
  newPassword: 'Geben Sie ein neues Passwort ein.',
  fullName: 'Geben Sie Ihren vollständigen Namen ein.',
  code: 'Geben Sie den Code ein.',
  recoveryCode: 'Geben Sie einen Wiederherstellungscode ein.',
};

export const uiMessages: Translation<typeof english> = {
  optional: 'optional',
  show: 'Anzeigen',
  hide: 'Verbergen',
  showPassword: 'Passwort anzeigen',
  hidePassword: 'Passwort verbergen',
  /** @param name that of the field in requests. */
  missing: (name) => MISSING[name] ?? 'Füllen Sie dieses Feld aus.',
  invalidEmail: 'Geben Sie eine gültige E-Mail-Adresse ein.',
  tooShort: (count) => `Verwenden Sie mindestens ${count} Zeichen.`,
  cancel: 'Abbrechen',
  closeMessage: 'Meldung schließen',
  copied: 'Kopiert.',
  selected: 'Ausgewählt. Kopieren Sie den Text über das Menü Ihres Browsers.',
  tryAgain: 'Erneut versuchen',
  tryAgainNow: 'Sie können es erneut versuchen.',
  openConsole: 'Konsole öffnen',
  manageAccount: 'Konto verwalten',
  continue: 'Weiter',
  capsLock: 'Die Feststelltaste ist aktiviert.',
  /** The rule of a new password. */
  minLength: (characters) => `Mindestens ${characters} Zeichen.`,
  strength: {
    common: 'Leicht zu erraten: Das ist ein häufiges Passwort.',
    commonHere: 'Leicht zu erraten: Das ist ein häufiges Passwort. Im Betrieb würde es abgelehnt.',
    likeEmail: 'Leicht zu erraten: Es ähnelt Ihrer E-Mail-Adresse.',
    weak: 'Leicht zu erraten. Verwenden Sie mehr Zeichen.',
    fair: 'Mittelmäßig. Mehr Zeichen machen es stärker.',
    good: 'Gutes Passwort.',
    strong: 'Starkes Passwort.',
  },
  loading: 'Wird geladen…',
};

export const stepUpMessages: Translation<typeof englishStepUp> = {
  title: 'Bestätigen Sie Ihre Identität',
  leadPasskey: 'Ihr Konto hat einen Passkey. Verwenden Sie ihn, um fortzufahren.',
  leadApp:
    'Ihr Konto hat die Bestätigung in zwei Schritten. Bestätigen Sie mit dem zweiten Schritt, um fortzufahren.',
  leadRecent: 'Ihre Anmeldung liegt eine Weile zurück. Bestätigen Sie sie erneut, um fortzufahren.',
  signedInAs: (email) => `Sie sind als ${email} angemeldet.`,
  checking: 'Einen Moment…',
  password: 'Passwort',
  code: 'Code',
  codeHint: 'Die 6 Ziffern, die Ihre Authenticator-App für dieses Konto anzeigt.',
  recoveryCode: 'Wiederherstellungscode',
  recoveryCodeHint: 'Einer der Codes, die Sie gespeichert haben. Jeder gilt einmal.',
  confirm: 'Bestätigen',
  usePassword: 'Passwort verwenden',
  useCode: 'Authenticator-App verwenden',
  useRecoveryCode: 'Wiederherstellungscode verwenden',
  usePasskey: 'Passkey verwenden',
  otherWays: 'Andere Möglichkeiten',
  wrongPassword: 'Das Passwort ist falsch.',
  wrongCode: 'Der Code ist falsch. Geben Sie den neuesten Code der App ein.',
  wrongRecoveryCode: 'Der Code ist falsch oder wurde schon verwendet.',
  wrongPasskey: 'Dieser Passkey gilt nicht für dieses Konto.',
  noMethod:
    'Dafür ist die Bestätigung in zwei Schritten nötig, die dieses Konto noch nicht hat. Richten Sie sie zuerst auf der Seite Ihres Kontos ein.',
};

export const liveMessages: Translation<typeof englishLive> = {
  live: 'Live',
  on: 'Neue Einträge erscheinen automatisch.',
  failed: 'Die Verbindung ging verloren. Neuer Versuch…',
};

export const placeMessages: Translation<typeof englishPlace> = {
  approximate: 'Ungefährer Ort der IP-Adresse, oft falsch.',
};
