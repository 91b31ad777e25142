import type { controlMessages as english, controlScriptMessages as englishScript } from '../en/controls.js';
import type { Translation } from '../translation.js';

export const controlMessages: Translation<typeof english> = {
  showPassword: 'Passwort anzeigen',
  show: 'Anzeigen',
  optional: 'freiwillig',
  minLength: (characters) => `Mindestens ${characters} Zeichen.`,
  continue: 'Weiter',
};

/** What to enter, by the name of the field in requests. */
const MISSING: Partial<Record<string, string>> = {
  email: 'Geben Sie Ihre E-Mail-Adresse ein.',
  password: 'Geben Sie Ihr Passwort ein.',
  newPassword: 'Geben Sie ein neues Passwort ein.',
  code: 'Geben Sie den Code ein.',
  recoveryCode: 'Geben Sie einen Wiederherstellungscode ein.',
};

export const controlScriptMessages: Translation<typeof englishScript> = {
  show: 'Anzeigen',
  hide: 'Verbergen',
  showPassword: 'Passwort anzeigen',
  hidePassword: 'Passwort verbergen',
  capsLock: 'Die Feststelltaste ist aktiviert.',
  missing: (label, name) => MISSING[name] ?? `Füllen Sie das Feld „${label}“ aus.`,
  thisField: 'Dieses Feld',
  tooShort: (characters) => `Verwenden Sie mindestens ${characters} Zeichen.`,
  notAnEmail: 'Geben Sie eine gültige E-Mail-Adresse ein.',
  tryAgain: 'Sie können es erneut versuchen.',
  strength: {
    common: 'Leicht zu erraten: Das ist ein häufiges Passwort.',
    likeEmail: 'Leicht zu erraten: Es ähnelt Ihrer E-Mail-Adresse.',
    weak: 'Leicht zu erraten. Verwenden Sie mehr Zeichen.',
    fair: 'Mittelmäßig. Mehr Zeichen machen es stärker.',
    good: 'Gutes Passwort.',
    strong: 'Starkes Passwort.',
  },
};
