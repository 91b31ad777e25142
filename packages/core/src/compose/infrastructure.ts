import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { SpanDetails, Tracer } from '../kernel/tracer.js';
import type { OwnMail } from '../mail/own-mail.js';
import { Metrics } from '../metrics/metrics.js';
import type { BreachList } from '../passwords/breach-list/breach-list.js';
import { Decoys } from '../passwords/decoys.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import type { Settings } from '../settings/settings.js';
import { Database } from '../storage/database.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { openEphemeralStore } from '../storage/open-ephemeral-store.js';
import { StoreLease } from '../storage/store-lease.js';
import { traced, type AsyncMethod } from '../tracing/traced.js';
import { decoyKeyOf } from './build-tokens.js';
import { mailElsewhere, type MailDelivery } from './mail-delivery.js';
import { openBreachList } from './open-breach-list.js';
import { openMail } from './open-mail.js';
import type { Repositories } from './repositories.js';

type Spans<Target> = Readonly<Record<AsyncMethod<Target>, SpanDetails>>;

const redis = (command: string): SpanDetails => ({
  name: `redis ${command}`,
  kind: 'client',
  attributes: { 'db.system.name': 'redis', 'db.operation.name': command },
});

/** The spans of Redis, for each operation of the store. */
const STORE_SPANS: Spans<EphemeralStore> = {
  get: redis('get'),
  getMany: redis('get_many'),
  set: redis('set'),
  setIfAbsent: redis('set_if_absent'),
  compareAndSet: redis('compare_and_set'),
  getAndDelete: redis('get_and_delete'),
  increment: redis('increment'),
  delete: redis('delete'),
  ping: redis('ping'),
  close: redis('close'),
};

const argon2 = (operation: string): SpanDetails => ({
  name: `password ${operation}`,
  kind: 'internal',
  attributes: { 'latchkey.password.operation': operation },
});

/** The spans of hashing, the wait for a thread included. A decoy has the name of what it imitates. */
const HASH_SPANS: Spans<PasswordHasher> = {
  hash: argon2('hash'),
  wrap: argon2('wrap'),
  verify: argon2('verify'),
  verifyDecoy: argon2('verify'),
  close: argon2('close'),
};

/** Everything that holds a connection, a thread or a timer. */
export interface Infrastructure {
  repositories: Repositories;
  database: Database;
  store: EphemeralStore;
  /** Set if the in-memory store was chosen explicitly. */
  lease: StoreLease | undefined;
  finance: Database | undefined;
  hasher: PasswordHasher;
  /** Undefined unless `PASSWORD_BREACH_LIST` is set. */
  breachList: BreachList | undefined;
  decoys: Decoys;
  mail: MailDelivery;
  metrics: Metrics;
}

interface InfrastructureOptions {
  logger: Logger;
  clock: Clock;
  tracer?: Tracer | undefined;
  /** Defaults to true. */
  sendMail?: boolean | undefined;
  /** Functions of the app that write and send mail. */
  mail?: OwnMail | undefined;
}

/** Pool size of the optional finance database, which answers one kind of query. */
const FINANCE_POOL = 2;

/** Opens all of it. The mail worker is started later, once the services exist. */
export async function openInfrastructure(
  settings: Settings,
  repositories: Repositories,
  options: InfrastructureOptions,
): Promise<Infrastructure> {
  const metrics = new Metrics();
  const { breachList: path } = settings.passwords;
  const { logger } = options;
  const { observer } = metrics;
  const breachList = path === undefined ? undefined : await openBreachList(path, { logger, observer });
  try {
    return { ...(await openConnections(settings, repositories, { ...options, metrics })), breachList };
  } catch (error) {
    await breachList?.close();
    throw error;
  }
}

async function openConnections(
  settings: Settings,
  repositories: Repositories,
  {
    logger,
    clock,
    tracer,
    sendMail = true,
    mail: own,
    metrics,
  }: InfrastructureOptions & { metrics: Metrics },
): Promise<Omit<Infrastructure, 'breachList'>> {
  const { database } = repositories;
  const lease = settings.redis.inMemory ? await StoreLease.take(database, logger) : undefined;
  const { argon2, hashingThreads: workers } = settings.passwords;
  const decoys = new Decoys({ key: decoyKeyOf(settings), configured: argon2 });
  const { observer } = metrics;
  const redis = { ...settings.redis, url: settings.redis.url?.reveal() };
  const opened = await openEphemeralStore({ ...redis, logger, clock, observer });
  const store = opened.kind === 'redis' ? traced(opened, STORE_SPANS, tracer) : opened;
  const finance = openFinance(settings, logger, tracer);
  const mail = sendMail
    ? await openMail(settings, { repositories, logger, tracer, own })
    : mailElsewhere(settings, repositories, own);
  const started = await PasswordHasher.start({ ...argon2, workers, decoys, logger, observer });
  const hasher = traced(started, HASH_SPANS, tracer);
  return { repositories, database, store, lease, finance, hasher, decoys, mail, metrics };
}

/** Returns what each part needs to close: consumers first, connections last. */
const closingsOf = ({
  database,
  store,
  lease,
  finance,
  ...rest
}: Infrastructure): Record<string, () => unknown> => ({
  metrics: () => rest.metrics.close(),
  mailWorker: () => rest.mail.worker?.stop(),
  mailer: () => rest.mail.mailer?.close(),
  hasher: () => rest.hasher.close(),
  store: () => store.close(),
  breachList: () => rest.breachList?.close(),
  lease: () => lease?.give(),
  database: () => database.close(),
  finance: () => finance?.close(),
});

/** Closes all of it. */
export const closeAll = (infrastructure: Infrastructure, logger: Logger): Promise<void> =>
  closeInOrder(closingsOf(infrastructure), logger);

/** Closes one part after the other. The log names each at level `debug`, so that one which does not end is known. */
export async function closeInOrder(
  closings: Readonly<Record<string, () => unknown>>,
  logger: Logger,
): Promise<void> {
  for (const [part, close] of Object.entries(closings)) {
    await close();
    logger.debug({ part }, 'A part of the service has stopped.');
  }
}

function openFinance(
  { finance, database }: Settings,
  logger: Logger,
  tracer: Tracer | undefined,
): Database | undefined {
  if (finance.url === undefined) return undefined;
  return new Database({
    url: finance.url.reveal(),
    poolMax: FINANCE_POOL,
    preparedStatements: database.preparedStatements,
    readOnly: true,
    logger,
    tracer,
  });
}
