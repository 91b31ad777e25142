import type { FactName } from '../diagnosis/facts.js';
import { absent, ask, askAfter, known, unasked, type PendingFacts } from '../diagnosis/outcome.js';
import { probeContent } from '../diagnosis/probes/content-probe.js';
import { probeCoreService } from '../diagnosis/probes/core-service-probe.js';
import { probeDataFolder } from '../diagnosis/probes/data-folder-probe.js';
import { probeDatabase } from '../diagnosis/probes/database-probe.js';
import { probeFinance } from '../diagnosis/probes/finance-probe.js';
import { probeHashing } from '../diagnosis/probes/hashing-probe.js';
import { probeKeys } from '../diagnosis/probes/key-probe.js';
import { probeMailServer } from '../diagnosis/probes/mail-server-probe.js';
import { probeRedis } from '../diagnosis/probes/redis-probe.js';
import { probeRuntime } from '../diagnosis/probes/runtime-probe.js';
import { probeSender } from '../diagnosis/probes/sender-probe.js';
import { silentLogger } from '../kernel/logger.js';
import type { SettingsInspection } from '../settings/inspect-settings.js';
import type { Settings } from '../settings/settings.js';
import type { Database } from '../storage/database.js';
import { smtpOf } from './mail-transport.js';
import { createMigrator } from './open-database.js';

/** What is looked at, and with which connections. */
export interface Patient {
  inspection: SettingsInspection;
  replicas: number;
  database: Database | undefined;
  finance: Database | undefined;
  /** Of these connections. */
  applicationName: string;
}

/** The application name of the service's connections. */
const SERVICE_NAME = 'latchkey';

type Facts<Name extends FactName> = Pick<PendingFacts, Name>;

/** Starts to ask for every fact at once; what needs settings is not asked when they are faulty. */
export function pendingFacts(patient: Patient): PendingFacts {
  const { inspection, replicas } = patient;
  const always: Facts<'inspection' | 'replicas' | 'runtime'> = {
    inspection: Promise.resolve(known(inspection)),
    replicas: Promise.resolve(known(replicas)),
    runtime: ask(probeRuntime),
  };
  const { settings } = inspection;
  if (!settings) return { ...always, ...nothingAsked() };
  return {
    ...always,
    settings: Promise.resolve(known(settings)),
    ...ownFacts(settings, inspection),
    ...databaseFacts(settings, patient),
    ...neighbourFacts(settings, patient.finance),
  };
}

function nothingAsked(): Omit<PendingFacts, 'inspection' | 'replicas' | 'runtime'> {
  const faulty = Promise.resolve(unasked('the settings are faulty'));
  return {
    settings: faulty,
    keys: faulty,
    hashing: faulty,
    dataFolder: faulty,
    database: faulty,
    schema: faulty,
    content: faulty,
    redis: faulty,
    mailServer: faulty,
    sender: faulty,
    coreService: faulty,
    finance: faulty,
  };
}

const ownFacts = (
  { tokens, passwords, environment, dataDir }: Settings,
  { entries }: SettingsInspection,
): Facts<'keys' | 'hashing' | 'dataFolder'> => ({
  keys: ask(() => probeKeys(tokens, entries)),
  hashing: ask(() => probeHashing(passwords.argon2)),
  dataFolder:
    environment === 'production'
      ? notThere('nothing is kept in DATA_DIR in production')
      : ask(() => probeDataFolder(dataDir)),
});

function databaseFacts(
  settings: Settings,
  { database, applicationName }: Patient,
): Facts<'database' | 'schema' | 'content'> {
  if (!database) {
    const none = notThere('DATABASE_URL is not set, and no service with a database of its own runs here');
    return { database: none, schema: none, content: none };
  }
  const answered = ask(() => probeDatabase(database, [SERVICE_NAME, applicationName]));
  return {
    database: answered,
    schema: askAfter(answered, () => createMigrator(settings, database, silentLogger).status()),
    content: askAfter(answered, () => probeContent(database)),
  };
}

function neighbourFacts(
  settings: Settings,
  finance: Database | undefined,
): Facts<'redis' | 'mailServer' | 'sender' | 'coreService' | 'finance'> {
  const smtp = smtpOf(settings);
  const { redis, coreService } = settings;
  const [redisUrl, coreUrl] = [redis.url?.reveal(), coreService.baseUrl];
  return {
    redis:
      redisUrl === undefined
        ? notThere(redis.inMemory ? IN_MEMORY_FOUND : 'REDIS_URL is not set')
        : ask(() => probeRedis(redisUrl, redis)),
    mailServer: smtp ? ask(() => probeMailServer(smtp)) : notThere('SMTP_URL is not set'),
    sender: smtp ? ask(() => probeSender(smtp.from)) : notThere('MAIL_FROM is not set'),
    coreService:
      coreUrl === undefined
        ? notThere('CORE_BASE_URL is not set')
        : ask(() => probeCoreService(coreUrl, coreService)),
    finance: finance
      ? ask(() => probeFinance(finance, settings.finance.companyQuery))
      : notThere('FINANCE_DATABASE_URL is not set'),
  };
}

const IN_MEMORY_FOUND = 'REDIS_URL=memory: keeps the store in the process, of which there may be one';

const notThere = (reason: string) => Promise.resolve(absent(reason));
