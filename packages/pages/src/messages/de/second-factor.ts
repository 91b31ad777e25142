import type {
  enrolmentMessages as englishEnrolment,
  recoveryCodesMessages as englishRecoveryCodes,
  secondFactorMessages as english,
  secondFactorScriptMessages as englishScript,
} from '../en/second-factor.js';
import { pluralIn } from '../plural.js';
import type { Translation } from '../translation.js';

const plural = pluralIn('de');

export const secondFactorMessages: Translation<typeof english> = {
  heading: 'Bestätigung in zwei Schritten',
  signingInAs: 'Anmeldung als {account}.',
  code: 'Bestätigungscode',
  codeHint:
    'Die 6 Ziffern, die Ihre Authenticator-App für dieses Konto anzeigt. Sie werden abgeschickt, sobald alle da sind.',
  recoveryCode: 'Wiederherstellungscode',
  recoveryCodeHint: 'Einer der Codes, die Sie gespeichert haben. Jeder gilt nur einmal.',
  verify: 'Bestätigen',
  verifying: 'Wird geprüft…',
  useCode: 'Authenticator-App verwenden',
  useRecoveryCode: 'Wiederherstellungscode verwenden',
  usePasskey: 'Passkey verwenden',
  passkeyLead: 'Schließen Sie die Anmeldung mit Ihrem Passkey ab.',
  setUpHeading: 'Bestätigung in {twoStep} einrichten',
  twoStep: 'zwei Schritten',
  setUpLead:
    'Ihr Konto {account} muss zusätzlich zum Passwort durch einen Code geschützt sein. Die Codes kommen aus einer Authenticator-App auf Ihrem Telefon oder aus Ihrem Passwort-Manager.',
  setUpTime: 'Halten Sie die App bereit: Sie haben {minutes} Zeit.',
  fiveMinutes: '5 Minuten',
  setUp: 'Einrichten',
  addHeading: 'Dieses Konto zu Ihrer App hinzufügen',
  scan: 'Scannen Sie den QR-Code mit Ihrer Authenticator-App.',
  cannotScan:
    'Sie können ihn nicht scannen? Geben Sie diesen Schlüssel in der App ein, oder öffnen Sie die App, falls sie auf diesem Gerät ist.',
  confirmApp: 'App bestätigen',
  enrolCodeHint:
    'Die 6 Ziffern, die die App jetzt für dieses Konto anzeigt. Sie werden abgeschickt, sobald alle da sind.',
  confirm: 'Bestätigen',
  confirming: 'Wird bestätigt…',
  codesHeading: 'Wiederherstellungscodes speichern',
  codesLead:
    'Falls Sie Ihre Authenticator-App verlieren, können Sie {account} mit jedem dieser Codes einmal anmelden. Bewahren Sie sie sicher auf: Sie werden nicht noch einmal angezeigt.',
  codesSaved: 'Ich habe die Codes gespeichert',
};

export const secondFactorScriptMessages: Translation<typeof englishScript> = {
  wrongCode: 'Der Code ist falsch. Geben Sie den neuesten Code der App ein.',
  wrongRecoveryCode: 'Der Code ist falsch oder wurde schon verwendet.',
  passkeyFailed: 'Dieser Passkey funktioniert hier nicht.',
  noPasskey: 'Es wurde kein Passkey verwendet. Versuchen Sie es erneut oder wählen Sie einen anderen Weg.',
  minutes: (count) => plural(count, { one: '{n} Minute', other: '{n} Minuten' }),
  copied: 'Kopiert.',
  selected: 'Markiert. Kopieren Sie es über das Menü Ihres Browsers.',
};

export const enrolmentMessages: Translation<typeof englishEnrolment> = {
  qrCode: 'QR-Code für Ihre Authenticator-App',
  copyKey: 'Schlüssel kopieren',
  openApp: 'App öffnen',
};

export const recoveryCodesMessages: Translation<typeof englishRecoveryCodes> = {
  codes: 'Wiederherstellungscodes',
  copy: 'Kopieren',
  download: 'Herunterladen',
  print: 'Drucken',
  codesOf: (email, brand) => `Wiederherstellungscodes von ${email} für ${brand}.`,
  eachOnce: 'Jeder gilt für eine Anmeldung.',
  fileName: 'wiederherstellungscodes.txt',
};
