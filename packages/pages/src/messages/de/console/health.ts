import type {
  dependencyMessages as english,
  healthFactMessages as englishFacts,
} from '../../en/console/health.js';
import type { Translation } from '../../translation.js';

export const dependencyMessages: Translation<typeof english> = {
  names: { database: 'PostgreSQL', redis: 'Redis', finance: 'Finanzdatenbank' },
  status: { ok: 'In Betrieb', failed: 'Ausgefallen', not_configured: 'Nicht eingerichtet' },
  faults: {
    'not reachable': 'Nicht erreichbar',
    refused: 'Weist den Zugang ab: Benutzer, Passwort oder Rechte prüfen',
    'read-only': 'Schreibgeschützt: nichts wird gespeichert',
  },
  latency: (milliseconds: string) => `${milliseconds} ms`,
  mail: 'E-Mail',
  unknown: 'Unbekannt',
  waitingMails: (count: string) => (count === '0' ? 'Warteschlange leer' : `${count} warten`),
  failedMails: (count: string) => `${count} fehlgeschlagen`,
};

export const healthFactMessages: Translation<typeof englishFacts> = {
  dependencies: 'Abhängigkeiten',
  load: 'Last',
  process: 'Prozess',
  settings: 'Einstellungen',
  pool: 'Datenbankverbindungen in Gebrauch',
  poolWaiting: 'Warten auf eine Verbindung',
  hashing: 'Passwort-Threads in Gebrauch',
  hashingQueue: 'Passwortprüfungen in der Warteschlange',
  listeners: 'Empfänger der Widerrufe',
  oldestMail: 'Alter der ältesten ungesendeten E-Mail',
  ofMost: (used: string, most: string) => `${used} von ${most}`,
  version: 'Version',
  started: 'Gestartet',
  uptime: 'Laufzeit',
  environment: 'Umgebung',
  environments: { development: 'Entwicklung', test: 'Test', production: 'Produktion' },
  signingKey: 'Signaturschlüssel',
  store: 'Flüchtiger Speicher',
  stores: { redis: 'Redis', memory: 'Im Arbeitsspeicher' },
  mailTransport: 'E-Mail-Zustellung',
  transports: { smtp: 'SMTP', app: 'Funktion der App', inbox: 'Posteingang der Entwicklung', off: 'Aus' },
  entitlements: 'Tarifdaten',
  entitlementSources: {
    function: 'Funktion der App',
    'core service': 'Core-Service',
    none: 'Nicht eingerichtet',
  },
  secondFactor: 'Zweiter Faktor',
  secondFactors: {
    off: 'Aus',
    optional: 'Optional',
    staff: 'Pflicht für das Plattform-Team',
    all: 'Pflicht für alle',
  },
  passkeys: 'Passkeys',
  registration: 'Öffentliche Registrierung',
  passwordEngine: 'Passwort-Hashing',
};
