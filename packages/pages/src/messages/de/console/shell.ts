import type {
  bulkMessages as englishBulk,
  failureMessages as englishFailures,
  keyMessages as englishKeys,
  limitMessages as englishLimits,
  recordMessages as englishRecords,
  shellMessages as english,
} from '../../en/console/shell.js';
import type { Translation } from '../../translation.js';

export const shellMessages: Translation<typeof english> = {
  console: 'Konsole',
  skip: 'Zum Inhalt springen',
  navigation: 'Hauptnavigation',
  menu: 'Menü',
  nav: {
    overview: 'Übersicht',
    approvals: 'Freigaben',
    users: 'Benutzer',
    sessions: 'Sitzungen',
    invitations: 'Einladungen',
    companies: 'Unternehmen',
    audit: 'Protokoll',
    mail: 'E-Mails',
    webhooks: 'Webhooks',
    health: 'Zustand',
  },
  sections: { people: 'Personen', access: 'Zugang', operations: 'Betrieb' },
  waiting: (count: string) => `${count} warten`,
  account: 'Konto',
  security: 'Sicherheit',
  signOut: 'Abmelden',
  keys: 'Tastenkürzel',
  findUser: 'Benutzer suchen',
  loading: 'Wird geladen…',
  refresh: 'Aktualisieren',
  retry: 'Erneut versuchen',
  close: 'Schließen',
  cancel: 'Abbrechen',
  clear: 'Filter zurücksetzen',
  all: 'Alle',
  unknown: 'Unbekannt',
  never: 'Nie',
  none: 'Keine',
  yes: 'Ja',
  no: 'Nein',
  you: 'Sie',
  failed: 'Diese Ansicht konnte nicht geladen werden',
  notFound: 'Hier gibt es nichts',
  notFoundHint: 'Die Adresse ist falsch, oder der Eintrag existiert nicht mehr.',
  noRight: 'Ihre Rolle umfasst diese Ansicht nicht',
  noRightHint: 'Wenden Sie sich an einen Superadmin, wenn Sie sie benötigen.',
  toOverview: 'Zur Übersicht',
  previous: 'Zurück',
  next: 'Weiter',
  pages: 'Seiten',
  range: (from: string, to: string, total: string) => `${from}–${to} von ${total}`,
  older: 'Ältere Einträge anzeigen',
  export: 'CSV herunterladen',
  exporting: (count: string) => `${count} Zeilen…`,
  exported: (count: string) => `Die Datei hat ${count} Zeilen.`,
  exportedPart: (count: string) =>
    `Die Datei hat die ersten ${count} Zeilen. Verwenden Sie Filter, um die anderen zu exportieren.`,
  copy: 'Kopieren',
  copied: 'Kopiert',
  outside: {
    title: 'Die Konsole ist für das Plattform-Team',
    text: (email: string) =>
      `Sie sind als ${email} angemeldet. Dieses Konto hat keine Rolle auf der Plattform.`,
    leave: 'Weiter zur App',
    account: 'Anderes Konto verwenden',
    toAccount: 'Zu Ihrem Konto',
    factorTitle: 'Ihre Rolle verlangt eine Bestätigung in zwei Schritten',
    factorText:
      'Melden Sie sich erneut mit Ihrer Authenticator-App oder einem Passkey an. Falls Sie noch keinen haben, können Sie ihn dort einrichten.',
    factorAction: 'Erneut anmelden',
    failedTitle: 'Die Konsole konnte nicht geöffnet werden',
  },
};

export const recordMessages: Translation<typeof englishRecords> = {
  select: (name: string) => `${name} auswählen`,
  selectAll: 'Alle auf dieser Seite auswählen',
  selected: (count: string) => `${count} ausgewählt`,
  clear: 'Auswahl aufheben',
};

export const bulkMessages: Translation<typeof englishBulk> = {
  title: 'Fortschritt',
  progress: (done: string, total: string) => `${done} von ${total} erledigt`,
  failed: (count: string, total: string) => `${count} von ${total} konnten nicht erledigt werden:`,
  failure: (name: string, reason: string) => `${name}: ${reason}`,
  stopped: 'Angehalten, weil die Bestätigung abgebrochen wurde.',
};

export const keyMessages: Translation<typeof englishKeys> = {
  title: 'Tastenkürzel',
  anywhere: 'Überall',
  lists: 'In Listen',
  goTo: 'Gehe zu',
  approvals: 'Bei Freigaben und auf einem Benutzer',
  search: 'Suchen',
  help: 'Diese Liste anzeigen',
  move: 'Nach unten, nach oben',
  open: 'Öffnen',
  back: 'Zurück oder schließen',
  turn: 'Nächste, vorige Seite',
  select: 'Auswählen oder abwählen, wo eine Liste Kästchen hat',
  approve: 'Freigeben',
  reject: 'Ablehnen',
  then: 'dann',
  or: 'oder',
  enabled: 'Kürzel mit einer Taste verwenden',
  enabledHint: 'Schalten Sie sie aus, wenn Sie diktieren oder Tasten versehentlich drücken.',
};

export const failureMessages: Translation<typeof englishFailures> = {
  unreachable: 'Der Dienst ist nicht erreichbar. Versuchen Sie es in Kürze erneut.',
  internal_error: 'Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es erneut.',
  forbidden: 'Ihre Rolle erlaubt diese Aktion nicht.',
  own_authority: 'Niemand ändert die eigenen Rechte.',
  offer_exceeds_authority: 'Dieses Angebot übersteigt, was Sie vergeben dürfen.',
  second_factor_required:
    'Ihre Rolle verlangt eine Bestätigung in zwei Schritten. Melden Sie sich damit erneut an.',
  not_found: 'Dieser Eintrag existiert nicht mehr.',
  conflict: 'Das ist im jetzigen Zustand nicht möglich. Aktualisieren Sie die Ansicht.',
  last_superadmin: 'Das ist der letzte aktive Superadmin. Ernennen Sie zuerst einen anderen.',
  user_erased: 'Die personenbezogenen Daten wurden gelöscht. Das Konto kann nicht geändert werden.',
  factor_missing: 'Dieser Benutzer hat keine Bestätigung in zwei Schritten.',
  mail_not_waiting: 'Diese E-Mail wartet nicht mehr.',
  mail_not_configured: 'Es werden keine E-Mails zugestellt. Setzen Sie SMTP_URL und MAIL_FROM.',
  sign_in_not_allowed:
    'Dieser Benutzer darf sich nicht anmelden, daher wird keine E-Mail gesendet. Geben Sie ihn zuerst frei und aktivieren Sie ihn.',
  mailbox_confirmed: 'Diese E-Mail-Adresse ist bereits bestätigt.',
  mailbox_unconfirmed:
    'Diese E-Mail-Adresse ist noch nicht bestätigt, daher kann der Benutzer nicht freigegeben werden.',
  api_key_limit_reached:
    'Dieses Unternehmen hat so viele API-Schlüssel wie möglich. Widerrufen Sie zuerst einen.',
  api_key_not_found: 'Dieser Schlüssel ist inzwischen beendet.',
  webhook_limit_reached: 'Es gibt so viele Webhooks wie möglich. Löschen Sie zuerst einen.',
  webhook_inactive: 'Dieser Webhook ist deaktiviert. Aktivieren Sie ihn zuerst.',
  invitation_accepted: 'Diese Einladung wurde bereits angenommen.',
  invitation_cancelled: 'Diese Einladung wurde bereits zurückgezogen.',
  invitation_expired: 'Diese Einladung ist abgelaufen.',
  invitation_withdrawn: 'Diese Einladung wurde zurückgezogen.',
  company_not_found: 'Kein Unternehmen hat diese ID, diesen Code oder diesen Namen.',
  company_ambiguous: 'Mehrere Unternehmen passen. Verwenden Sie die ID.',
  finance_db_not_configured:
    'Unternehmen lassen sich nur über ihre ID öffnen: Es ist kein Verzeichnis der Unternehmen eingerichtet.',
  invitation_limit_reached: 'Es wurden zu viele Einladungen gesendet. Versuchen Sie es später erneut.',
  validation_error: 'Die Eingabe ist ungültig.',
};

export const limitMessages: Translation<typeof englishLimits> = {
  wait: (seconds: string) => `Zu viele Anfragen. Versuchen Sie es in ${seconds} Sekunden erneut.`,
  soon: 'Zu viele Anfragen. Versuchen Sie es in Kürze erneut.',
};
