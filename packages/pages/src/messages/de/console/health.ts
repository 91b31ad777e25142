import type {
  dependencyMessages as english,
  healthFactMessages as englishFacts,
} from '../../en/console/health.js';
import type { Translation } from '../../translation.js';

export const dependencyMessages: Translation<typeof english> = {
  names: { database: 'PostgreSQL', redis: 'Redis', finance: 'Finanzdatenbank' },
  status: { ok: 'Arbeitet', failed: 'Fehler', not_configured: 'Nicht eingerichtet' },
  faults: {
    'not reachable': 'Nicht erreichbar',
    refused: 'Weist den Zugang ab: Benutzer, Passwort oder Rechte prüfen',
    'read-only': 'Schreibgeschützt: nichts wird gespeichert',
  },
  latency: (milliseconds: string) => `${milliseconds} ms`,
  mail: 'E-Mail',
  unknown: 'Unbekannt',
  waitingMails: (count: string) => (count === '0' ? 'Nichts wartet' : `${count} warten`),
  failedMails: (count: string) => `${count} fehlgeschlagen`,
};

export const healthFactMessages: Translation<typeof englishFacts> = {
  dependencies: 'Abhängigkeiten',
  load: 'Last',
  process: 'Prozess',
  settings: 'Einstellungen',
  pool: 'Datenbankverbindungen in Gebrauch',
  poolWaiting: 'Anfragen, die auf eine Verbindung warten',
  hashing: 'Passwort-Threads in Gebrauch',
  hashingQueue: 'Passwörter, die warten',
  listeners: 'Empfänger der Widerrufe',
  oldestMail: 'Alter der ältesten ungesendeten E-Mail',
  ofMost: (used: string, most: string) => `${used} von ${most}`,
  version: 'Version',
  started: 'Gestartet',
  uptime: 'Laufzeit',
  environment: 'Umgebung',
  environments: { development: 'Entwicklung', test: 'Test', production: 'Produktion' },
  signingKey: 'Signaturschlüssel',
  store: 'Kurzlebige Daten',
  stores: { redis: 'Redis', memory: 'In diesem Prozess' },
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
