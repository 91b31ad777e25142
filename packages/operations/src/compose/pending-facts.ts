import { smtpOf } from '@latchkey/core/internal/compose/mail-transport';
import { createMigrator } from '@latchkey/core/internal/compose/open-database';
import { splitDatabaseHosts } from '@latchkey/core/internal/kernel/database-hosts';
import { silentLogger } from '@latchkey/core/internal/kernel/logger';
import type { SettingsInspection } from '@latchkey/core/internal/settings/inspect-settings';
import type { Settings } from '@latchkey/core/internal/settings/settings';
import type { Database } from '@latchkey/core/internal/storage/database';
import type { FactName } from '../doctor/facts.js';
import { absent, ask, known, unasked, type PendingFacts, type ProbeResult } from '../doctor/probe-result.js';
import { probeBreachList } from '../doctor/probes/breach-list-probe.js';
import { probeContent } from '../doctor/probes/content-probe.js';
import { probeCoreService } from '../doctor/probes/core-service-probe.js';
import { probeDataFolder } from '../doctor/probes/data-folder-probe.js';
import { probeDatabaseHosts } from '../doctor/probes/database-hosts-probe.js';
import { probeDatabase } from '../doctor/probes/database-probe.js';
import { probeFinance } from '../doctor/probes/finance-probe.js';
import { probeGeoip } from '../doctor/probes/geoip-probe.js';
import { probeHashing } from '../doctor/probes/hashing-probe.js';
import { probeKeys } from '../doctor/probes/key-probe.js';
import { probeMailServer } from '../doctor/probes/mail-server-probe.js';
import { probeProviders } from '../doctor/probes/providers-probe.js';
import { probeRedis } from '../doctor/probes/redis-probe.js';
import { probeRuntime } from '../doctor/probes/runtime-probe.js';
import { probeSender } from '../doctor/probes/sender-probe.js';

/** The settings to check, and the connections for it. */
interface DoctorTarget {
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

/** Starts to collect all facts at once, except those that depend on a faulty setting. */
export function pendingFacts(target: DoctorTarget): PendingFacts {
  const { inspection, replicas } = target;
  const { readable } = inspection;
  return {
    inspection: Promise.resolve(known(inspection)),
    replicas: Promise.resolve(known(replicas)),
    runtime: ask(probeRuntime),
    settings: Promise.resolve(known(readable)),
    ...ownFacts(readable, inspection),
    ...databaseFacts(readable, target),
    ...neighbourFacts(readable, target.finance),
  };
}

const ownFacts = (
  settings: Settings,
  { entries }: SettingsInspection,
): Facts<'keys' | 'hashing' | 'breachList' | 'geoip' | 'dataFolder'> => ({
  keys: ask(() => probeKeys(settings.tokens, entries)),
  hashing: ask(() => probeHashing(settings.passwords.argon2)),
  breachList: askOf(
    () => settings.passwords.breachList,
    probeBreachList,
    () => 'PASSWORD_BREACH_LIST is not set',
  ),
  geoip: askOf(
    () => settings.sessions.geoipDatabase,
    probeGeoip,
    () => 'GEOIP_DATABASE is not set',
  ),
  dataFolder: askOf(
    () => (settings.environment === 'production' ? undefined : settings.dataDir),
    probeDataFolder,
    () => 'nothing is kept in DATA_DIR in production',
  ),
});

function databaseFacts(
  settings: Settings,
  { database, applicationName }: DoctorTarget,
): Facts<'database' | 'databaseHosts' | 'schema' | 'content'> {
  const connected = askOf(
    () => connectionOf(settings.database, database),
    (found) => Promise.resolve(found),
    () => 'DATABASE_URL is not set, and no service with a database of its own runs here',
  );
  const answered = askAfter(connected, (found) => probeDatabase(found, [SERVICE_NAME, applicationName]));
  const afterAnswer = async <Fact>(probe: (found: Database) => Promise<Fact>): Promise<ProbeResult<Fact>> => {
    const outcome = await askAfter(answered, () => Promise.resolve());
    return outcome.state === 'known' ? askAfter(connected, probe) : outcome;
  };
  return {
    database: answered,
    databaseHosts: askOf(
      () => addressOfSeveralHosts(settings.database),
      (url) => probeDatabaseHosts(url, applicationName),
      () => 'DATABASE_URL names one host',
    ),
    schema: afterAnswer((found) => createMigrator(settings, found, silentLogger).status()),
    content: afterAnswer(probeContent),
  };
}

function neighbourFacts(
  settings: Settings,
  finance: Database | undefined,
): Facts<'redis' | 'mailServer' | 'sender' | 'providers' | 'coreService' | 'finance'> {
  const smtp = () => smtpOf(settings);
  return {
    redis: askOf(
      () => settings.redis.url?.reveal(),
      (url) => probeRedis(url, settings.redis),
      () => (settings.redis.inMemory ? IN_MEMORY_FOUND : 'REDIS_URL is not set'),
    ),
    mailServer: askOf(smtp, probeMailServer, () => 'SMTP_URL is not set'),
    sender: askOf(
      smtp,
      ({ from }) => probeSender(from),
      () => 'MAIL_FROM is not set',
    ),
    providers: askOf(
      () => settings.external.providers?.reveal(),
      (providers) => probeProviders(providers, settings.http.baseUrl),
      () => 'EXTERNAL_PROVIDERS is not set',
    ),
    coreService: askOf(
      () => settings.coreService.baseUrl,
      (url) => probeCoreService(url, settings.coreService),
      () => 'CORE_BASE_URL is not set',
    ),
    finance: askOf(
      () => connectionOf(settings.finance, finance),
      (found) => probeFinance(found, settings.finance.companyQuery),
      () => 'FINANCE_DATABASE_URL is not set',
    ),
  };
}

function addressOfSeveralHosts({ url }: Settings['database']): string | undefined {
  const address = url?.reveal();
  return address !== undefined && splitDatabaseHosts(address).urls.length > 1 ? address : undefined;
}

/** Checks the connection settings by reading them. */
const connectionOf = (_readable: object, connection: Database | undefined): Database | undefined =>
  connection;

const IN_MEMORY_FOUND = 'REDIS_URL=memory: keeps the store in the process, of which there may be one';

/**
 * Probes the target of the settings; absent if they name none. @param reasonIfAbsent the reason for that
 * result.
 */
async function askOf<Target, Fact>(
  target: () => Target | undefined,
  probe: (target: Target) => Promise<Fact>,
  reasonIfAbsent: () => string,
): Promise<ProbeResult<Fact>> {
  const found = await ask(() => Promise.resolve(target()));
  if (found.state !== 'known') return found;
  const { value } = found;
  return value === undefined ? absent(reasonIfAbsent()) : ask(() => probe(value));
}

/** Probes with the fact of an earlier probe; does not probe if that failed. */
async function askAfter<First, Fact>(
  first: Promise<ProbeResult<First>>,
  probe: (fact: First) => Promise<Fact>,
): Promise<ProbeResult<Fact>> {
  const outcome = await first;
  if (outcome.state === 'known') return ask(() => probe(outcome.value));
  return outcome.state === 'failed' ? unasked('not checked') : outcome;
}
