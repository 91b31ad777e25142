import type { failureMessages as english } from '../en/failures.js';
import { pluralIn } from '../plural.js';
import type { Translation } from '../translation.js';

const plural = pluralIn('de');

const unreachable =
  'Der Dienst ist derzeit nicht erreichbar. Bitte versuchen Sie es in einigen Minuten erneut.';

function duration(seconds: number): string {
  if (seconds < 1) return 'einen Moment';
  if (seconds < 90) return plural(seconds, { one: 'eine Sekunde', other: '{n} Sekunden' });
  return plural(Math.ceil(seconds / 60), { one: 'eine Minute', other: '{n} Minuten' });
}

const OTHER: Partial<Record<string, string>> = {
  session_revoked: 'Ihre Sitzung wurde beendet. Melden Sie sich erneut an.',
  conflict: 'Inzwischen hat sich etwas geändert. Laden Sie die Seite neu und versuchen Sie es erneut.',
  forbidden: 'Das ist Ihnen nicht erlaubt. Wenden Sie sich an Ihren Administrator.',
  registration_disabled: 'Die Registrierung ist nicht möglich. Wenden Sie sich an Ihren Administrator.',
  not_found: 'Das gibt es nicht mehr. Laden Sie die Seite neu.',
  gone: 'Das gibt es nicht mehr. Laden Sie die Seite neu.',
  validation_error: 'Die Angaben sind ungültig. Prüfen Sie sie und versuchen Sie es erneut.',
  not_ready: unreachable,
};

const OTHER_FIELD: Partial<Record<string, string>> = {
  format: 'Das Format ist ungültig.',
  too_short: 'Diese Angabe ist zu kurz.',
  too_long: 'Diese Angabe ist zu lang.',
  not_allowed: 'Diese Angabe ist nicht erlaubt.',
  characters: 'Diese Angabe enthält Zeichen, die nicht erlaubt sind.',
};

export const failureMessages: Translation<typeof english> = {
  unreachable,
  byCode: {
    unauthorized: 'E-Mail-Adresse oder Passwort ist falsch.',
    pending_approval:
      'Ihr Konto wartet auf die Freigabe. Sie erhalten eine E-Mail, sobald ein Administrator es freigegeben hat.',
    registration_rejected: 'Ihre Registrierung wurde abgelehnt. Wenden Sie sich an Ihren Administrator.',
    account_inactive: 'Dieses Konto ist deaktiviert. Wenden Sie sich an Ihren Administrator.',
    email_unverified:
      'Ihre E-Mail-Adresse ist nicht bestätigt. Öffnen Sie den Link in der E-Mail, die wir Ihnen gesendet haben, oder fordern Sie eine neue an.',
    service_unavailable: unreachable,
    network_failure: unreachable,
    unexpected_response: unreachable,
    internal_error: 'Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es erneut.',
  },
  // A reason of its own text comes from a hook of the host application, which speaks to its own users.
  other: (code, reason, message) =>
    code === 'forbidden' && reason === 'forbidden'
      ? message
      : (OTHER[code] ?? 'Das hat nicht funktioniert. Bitte versuchen Sie es erneut.'),
  deletionPending:
    'Dieses Konto wird bald gelöscht. Behalten Sie es mit dem Link, den wir Ihnen gesendet haben, oder lassen Sie ihn erneut senden.',
  tooManyCodes: (seconds) =>
    `Zu viele falsche Codes. Verwenden Sie einen Wiederherstellungscode oder warten Sie ${duration(seconds)}.`,
  notWhileActing:
    'Sie handeln für diesen Benutzer, daher ist dies nicht möglich. Nur der Benutzer selbst kann es tun.',
  codesBlocked:
    'Zu viele falsche Codes. Verwenden Sie einen Wiederherstellungscode oder einen Passkey, oder setzen Sie Ihr Passwort zurück.',
  tooManyAttempts: (seconds) =>
    `Zu viele Versuche. Bitte warten Sie ${duration(seconds)} und versuchen Sie es erneut.`,
  wait: (seconds) => `Bitte warten Sie ${duration(seconds)} und versuchen Sie es erneut.`,
  fields: {
    required: 'Diese Angabe ist erforderlich.',
    too_common: 'Wählen Sie ein Passwort, das schwerer zu erraten ist.',
    like_email: 'Wählen Sie ein Passwort, das nicht Teil Ihrer E-Mail-Adresse ist.',
    breached:
      'Dieses Passwort ist aus einem Datenleck bekannt. Wählen Sie eines, das Sie nirgendwo sonst verwenden.',
  },
  otherField: (reason) => OTHER_FIELD[reason] ?? 'Diese Angabe ist ungültig.',
};
