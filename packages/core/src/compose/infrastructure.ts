import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import { mailBrandOf } from '../mail/mail-brand.js';
import { MailComposer } from '../mail/mail-composer.js';
import { MailWorker } from '../mail/mail-worker.js';
import { InboxMailer } from '../mail/mailer.inbox.js';
import type { Mailer } from '../mail/mailer.js';
import { OutboxRepository } from '../mail/outbox-repository.js';
import { Outbox, WORKER_ELSEWHERE } from '../mail/outbox.js';
import { Metrics } from '../metrics/metrics.js';
import { Decoys } from '../passwords/decoys.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import type { Settings } from '../settings/settings.js';
import { Database } from '../storage/database.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { openEphemeralStore } from '../storage/open-ephemeral-store.js';
import { StoreLease } from '../storage/store-lease.js';
import { decoyKeyOf } from './build-tokens.js';
import { mailTransportOf, smtpOf, type MailTransport } from './mail-transport.js';

/** Everything that holds a connection, a thread or a timer. */
export interface Infrastructure {
  database: Database;
  store: EphemeralStore;
  /** Of a store in memory that was chosen on purpose. */
  lease: StoreLease | undefined;
  finance: Database | undefined;
  hasher: PasswordHasher;
  decoys: Decoys;
  mail: MailDelivery;
  outbox: Outbox;
  metrics: Metrics;
}

interface MailDelivery {
  transport: MailTransport;
  mailer: Mailer | undefined;
  worker: MailWorker | undefined;
  /** Whoever makes one-time links registers here, before the worker starts. */
  composer: MailComposer;
}

interface InfrastructureOptions {
  logger: Logger;
  clock: Clock;
  sendMail?: boolean | undefined;
}

/** Pool of the optional finance database: it answers one kind of question. */
const FINANCE_POOL = 2;

/** Opens all of it. Mail waits until its worker is started: links need services that are built later. */
export async function openInfrastructure(
  settings: Settings,
  database: Database,
  { logger, clock, sendMail = true }: InfrastructureOptions,
): Promise<Infrastructure> {
  const lease = settings.redis.inMemory ? await StoreLease.take(database, logger) : undefined;
  const { argon2 } = settings.passwords;
  const decoys = new Decoys({ key: decoyKeyOf(settings), configured: argon2 });
  const metrics = new Metrics();
  const { observer } = metrics;
  const redis = { ...settings.redis, url: settings.redis.url?.reveal() };
  const store = await openEphemeralStore({ ...redis, logger, clock, observer });
  const finance = openFinance(settings, logger);
  const repository = new OutboxRepository(database);
  const mail = sendMail ? await openMail(settings, repository, logger) : mailElsewhere(settings);
  const hasher = await PasswordHasher.start({ ...argon2, decoys, logger, observer });
  return {
    database,
    store,
    lease,
    finance,
    hasher,
    decoys,
    mail,
    outbox: openOutbox(repository, mail),
    metrics,
  };
}

/** Consumers first, connections last. */
export async function closeAll(parts: Infrastructure): Promise<void> {
  parts.metrics.close();
  await parts.mail.worker?.stop();
  parts.mail.mailer?.close();
  await Promise.all([parts.hasher.close(), parts.store.close()]);
  await parts.lease?.give();
  await Promise.all([parts.database.close(), parts.finance?.close()]);
}

function openFinance({ finance, database }: Settings, logger: Logger): Database | undefined {
  if (finance.url === undefined) return undefined;
  return new Database({
    url: finance.url.reveal(),
    poolMax: FINANCE_POOL,
    preparedStatements: database.preparedStatements,
    readOnly: true,
    logger,
  });
}

/** Mail that another process sends. */
const mailElsewhere = (settings: Settings): MailDelivery => ({
  transport: mailTransportOf(settings),
  mailer: undefined,
  worker: undefined,
  composer: new MailComposer(mailBrandOf(settings.brand, settings.http.baseUrl)),
});

/** Mail is queued unless nobody sends it. */
function openOutbox(repository: OutboxRepository, { transport, worker }: MailDelivery): Outbox {
  return new Outbox(repository, transport === 'off' ? undefined : (worker ?? WORKER_ELSEWHERE));
}

async function openMail(settings: Settings, outbox: OutboxRepository, logger: Logger): Promise<MailDelivery> {
  const transport = mailTransportOf(settings);
  const mailer = await openMailer(settings, transport, logger);
  const composer = new MailComposer(mailBrandOf(settings.brand, settings.http.baseUrl));
  const worker = mailer && new MailWorker({ outbox, composer, mailer, logger });
  return { transport, mailer, worker, composer };
}

/** Its library is loaded only where mail leaves by SMTP. */
async function openMailer(
  settings: Settings,
  transport: MailTransport,
  logger: Logger,
): Promise<Mailer | undefined> {
  const smtp = smtpOf(settings);
  if (smtp) {
    const { SmtpMailer } = await import('../mail/mailer.smtp.js');
    return new SmtpMailer(smtp);
  }
  return transport === 'inbox' ? new InboxMailer(logger) : undefined;
}
