import fs from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mailComposer } from '../../../../test/support/mail-composer.js';
import { startPostgres } from '../../../../test/support/postgres.js';
import { startSmtpSink, type SmtpSink } from '../../../../test/support/smtp-sink.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { freePort } from '../../../../tools/shared/free-port.mjs';
import { silentLogger, type Logger } from '../kernel/logger.js';
import { digestOf, generateSecret } from '../kernel/secret.js';
import { Database } from '../storage/database.js';
import type { MailComposer } from './mail-composer.js';
import type { OutboxEntry, QueuedMail } from './mail-kind.js';
import type { MailSources } from './mail-source.js';
import { MailWorker, type MailWorkerDeps } from './mail-worker.js';
import type { Mailer } from './mailer.js';
import { SmtpMailer } from './mailer.smtp.js';
import { OutboxRepository, type ClaimRequest } from './outbox-repository.js';
import { Outbox } from './outbox.js';

interface StoredMail {
  id: string;
  recipient: string;
  status: string;
  attempts: number;
  last_error: string | null;
  payload: object;
}

const MIGRATION = new URL('../../../../migrations/0013_mail_outbox.sql', import.meta.url);

let testDatabase: TestDatabase;
let database: Database;
let outbox: OutboxRepository;
let sink: SmtpSink;
const cleanUps: (() => void | Promise<void>)[] = [];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.url, poolMax: 8, preparedStatements: true });
  outbox = new OutboxRepository(database);
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

beforeEach(async () => {
  await database.run((knex) => knex('mail_outbox').delete());
  sink = await startSmtpSink();
  cleanUps.push(() => sink.stop());
});

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function smtpMailer(url = sink.url): SmtpMailer {
  const mailer = new SmtpMailer({ url, security: 'opportunistic', from: 'no-reply@example.com' });
  cleanUps.push(() => mailer.close());
  return mailer;
}

function startWorker(options: Partial<MailWorkerDeps> = {}): MailWorker {
  const mailer = options.mailer ?? smtpMailer();
  const composer = mailComposer();
  const worker = new MailWorker({
    outbox,
    composer,
    mailer,
    logger: silentLogger,
    pollMs: 50,
    ...options,
  });
  worker.start();
  cleanUps.push(() => worker.stop());
  return worker;
}

const registrationOf = (recipient: string): OutboxEntry => ({
  kind: 'pending_registration',
  recipient,
  payload: {},
});

const queue = (mail: OutboxEntry): Promise<void> => database.transaction((trx) => outbox.enqueue(trx, mail));

const storedMails = (): Promise<StoredMail[]> =>
  database.run<StoredMail[]>((knex) => knex('mail_outbox').select('*').orderBy('recipient'));

const waitForStored = (what: string, fits: (mail: StoredMail) => boolean): Promise<StoredMail> =>
  waitUntil(async () => (await storedMails()).find(fits), { what });

/** Lets a mail that waits for its next attempt be due now. */
const endWait = async (): Promise<void> => {
  await database.run((knex) => knex('mail_outbox').update({ next_attempt_at: knex.fn.now() }));
};

/** A mailer whose mails stay under way until `release`. */
class SlowMailer implements Mailer {
  readonly started: string[] = [];
  #release: () => void = () => undefined;
  readonly #released = new Promise<void>((resolve) => (this.#release = resolve));

  async send(message: { to: string }): Promise<void> {
    this.started.push(message.to);
    await this.#released;
  }

  release(): void {
    this.#release();
  }

  close(): void {
    this.release();
  }
}

class CountedOutbox extends OutboxRepository {
  claims = 0;

  override claimDue(request: ClaimRequest): Promise<QueuedMail[]> {
    this.claims += 1;
    return super.claimDue(request);
  }
}

/** An outbox whose claims have the given results, one after the other. */
class ScriptedOutbox extends OutboxRepository {
  readonly #claims: (() => Promise<QueuedMail[]>)[];

  constructor(database: Database, claims: readonly (() => Promise<QueuedMail[]>)[]) {
    super(database);
    this.#claims = [...claims];
  }

  override claimDue(): Promise<QueuedMail[]> {
    return this.#claims.shift()?.() ?? Promise.resolve([]);
  }
}

describe('delivery', () => {
  it('a queued mail arrives and is marked as sent', async () => {
    startWorker();
    const payload = { fullName: "Zoë O'Neill 李" };
    await queue({ kind: 'password_changed', recipient: 'ada@example.com', payload });
    const mail = await sink.waitForMessage((message) => message.to.includes('ada@example.com'));
    expect(mail.subject).toBe('Your Latchkey password was changed');
    expect(mail.text).toContain("Hello Zoë O'Neill 李,");
    expect(mail.html).toContain('Hello Zoë O&#39;Neill 李,');
    await waitForStored('the sent mark', (row) => row.status === 'SENT');
  });

  it('a woken worker sends without waiting for its next check', async () => {
    const worker = startWorker({ pollMs: 3_600_000 });
    const services = new Outbox({ database, mails: outbox, worker });
    await database.transaction((trx) => services.enqueue(trx, registrationOf('ada@example.com')));
    await sink.waitForMessage((message) => message.to.includes('ada@example.com'));
  });

  it('a started worker checks the queue within its interval, and not at once', async () => {
    const rarely = new CountedOutbox(database);
    startWorker({ outbox: rarely, pollMs: 3_600_000 });
    const often = new CountedOutbox(database);
    startWorker({ outbox: often, pollMs: 50 });
    await waitUntil(() => often.claims > 0, { what: 'the first check' });
    expect(rarely.claims).toBe(0);
  });

  it('every mail is delivered once with two workers running', async () => {
    startWorker();
    startWorker();
    const recipients = Array.from({ length: 30 }, (_, n) => `user${String(n).padStart(2, '0')}@example.com`);
    for (const recipient of recipients) await queue(registrationOf(recipient));
    await waitUntil(async () => (await outbox.countPending()) === 0, { what: 'an empty outbox' });
    expect(sink.messages.flatMap((message) => message.to).sort()).toEqual(recipients);
  });

  it('no more mails are sent at once than the concurrency allows', async () => {
    const mailer = new SlowMailer();
    startWorker({ mailer, concurrency: 3 });
    cleanUps.push(() => mailer.release());
    for (let n = 0; n < 6; n += 1) await queue(registrationOf(`user${n}@example.com`));
    await waitUntil(() => mailer.started.length === 3, { what: 'three mails under way' });
    mailer.release();
    await waitUntil(async () => (await outbox.countPending()) === 0, { what: 'an empty outbox' });
    expect(new Set(mailer.started).size).toBe(6);
  });

  it('a name with line breaks adds no header and no recipient', async () => {
    startWorker();
    await queue({
      kind: 'passkey_added',
      recipient: 'ada@example.com',
      payload: {
        fullName: 'Ada\r\nBcc: eve@example.com',
        passkeyName: 'x\r\n.\r\nRCPT TO:<eve@example.com>',
      },
    });
    const mail = await sink.waitForMessage((message) => message.to.includes('ada@example.com'));
    expect(mail.to).toEqual(['ada@example.com']);
    expect(Object.keys(mail.headers)).not.toContain('bcc');
    expect(sink.messages).toHaveLength(1);
  });
});

describe('failure', () => {
  it('mail stays queued, with the reason, while the mail server does not offer the STARTTLS that is required', async () => {
    const mailer = new SmtpMailer({ url: sink.url, security: 'starttls', from: 'no-reply@example.com' });
    cleanUps.push(() => mailer.close());
    startWorker({ mailer });
    await queue(registrationOf('ada@example.com'));
    const row = await waitForStored(
      'a failed attempt',
      (stored) => stored.attempts > 0 && stored.last_error !== null,
    );
    expect(row.status).toBe('PENDING');
    expect(row.last_error).toContain('does not offer STARTTLS');
    expect(sink.messages).toEqual([]);
  });

  it('mail queued while SMTP is unavailable is delivered when it is back', async () => {
    const port = await freePort();
    startWorker({ mailer: smtpMailer(`smtp://127.0.0.1:${port}`) });
    await queue(registrationOf('late@example.com'));
    const waiting = await waitForStored('a failed attempt', (row) => row.last_error !== null);
    expect(waiting).toMatchObject({ status: 'PENDING', attempts: 1 });

    const recovered = await startSmtpSink(port);
    cleanUps.push(() => recovered.stop());
    await endWait();
    await recovered.waitForMessage((message) => message.to.includes('late@example.com'));
    const sent = await waitForStored('the sent mark', (row) => row.status === 'SENT');
    expect(sent).toMatchObject({ attempts: 2, last_error: null });
  });

  it('a permanently rejected mailbox makes the mail dead, with the reason', async () => {
    sink.refuseWith = 550;
    startWorker();
    await queue(registrationOf('missing@example.com'));
    const dead = await waitForStored('the dead mark', (row) => row.status === 'DEAD');
    expect(dead.attempts).toBe(1);
    expect(dead.last_error).toContain('550');
  });

  it('a temporarily rejected mail waits', async () => {
    sink.refuseWith = 451;
    startWorker();
    await queue(registrationOf('busy@example.com'));
    const waiting = await waitForStored('a failed attempt', (row) => row.last_error !== null);
    expect(waiting.status).toBe('PENDING');
    expect(waiting.last_error).toContain('451');
  });

  it('a mail is given up after its twentieth attempt', async () => {
    sink.refuseWith = 451;
    await queue(registrationOf('busy@example.com'));
    await database.run((knex) => knex('mail_outbox').update({ attempts: 18 }));
    startWorker();
    await waitForStored('the nineteenth attempt', (row) => row.attempts === 19 && row.last_error !== null);
    await endWait();
    const dead = await waitForStored('the dead mark', (row) => row.status === 'DEAD');
    expect(dead.attempts).toBe(20);
  });

  it('one invalid mailbox does not delay other mail', async () => {
    const mailer = smtpMailer();
    const failing: Mailer = {
      send: (message) =>
        message.to.startsWith('bad') ? Promise.reject(new Error('not now')) : mailer.send(message),
      close: () => undefined,
    };
    startWorker({ mailer: failing, concurrency: 1 });
    await queue(registrationOf('bad@example.com'));
    await queue(registrationOf('good@example.com'));
    await sink.waitForMessage((message) => message.to.includes('good@example.com'));
  });

  it('a mail whose worker crashed between claim and sending is sent after the lease', async () => {
    await queue(registrationOf('ada@example.com'));
    const [claimed] = await outbox.claimDue({ limit: 1, kinds: ['pending_registration'], leaseSeconds: 0.5 });
    expect(claimed?.recipient).toBe('ada@example.com');
    startWorker();
    await sink.waitForMessage((message) => message.to.includes('ada@example.com'));
    const sent = await waitForStored('the sent mark', (row) => row.status === 'SENT');
    expect(sent.attempts).toBe(2);
  });

  it('an unavailable database is logged once, and mail is sent when it is back', async () => {
    const server = await startPostgres();
    cleanUps.push(() => server.stop());
    // One connection: a second one could still be served while the first is lost.
    const away = new Database({ url: server.url, poolMax: 1, preparedStatements: true });
    cleanUps.push(() => away.close());
    await away.run((knex) => knex.raw(fs.readFileSync(MIGRATION, 'utf8')));
    await away.run((knex) =>
      knex.raw(
        'ALTER TABLE mail_outbox ADD COLUMN user_id uuid; CREATE TABLE users (id uuid, email text, locale text)',
      ),
    );
    const lines: string[] = [];
    const logger: Logger = {
      ...silentLogger,
      warn: (_details, message) => lines.push(message),
      info: (_details, message) => lines.push(message),
    };
    const outboxAway = new CountedOutbox(away);
    startWorker({ outbox: outboxAway, logger, pollMs: 10, composer: mailComposer() });

    await server.kill();
    await waitUntil(() => lines.length > 0, { what: 'a warning' });
    const before = outboxAway.claims;
    await waitUntil(() => outboxAway.claims > before + 20, { what: 'further claims' });
    expect(lines).toEqual(['the mail outbox cannot be reached; trying on']);

    await server.restart();
    await away.transaction((trx) => outboxAway.enqueue(trx, registrationOf('ada@example.com')));
    await sink.waitForMessage((message) => message.to.includes('ada@example.com'));
    await waitUntil(() => lines.length > 1, { what: 'the good news' });
    expect(lines).toEqual([
      'the mail outbox cannot be reached; trying on',
      'the mail outbox is reachable again',
    ]);
  });

  it('a claim that was begun before an outage does not end it', async () => {
    const lines: string[] = [];
    const write = (_details: object, message: string) => void lines.push(message);
    let answer: () => void = () => undefined;
    const late = new Promise<[]>((resolve) => (answer = () => resolve([])));
    const claims: (() => Promise<[]>)[] = [
      () => late,
      () => Promise.reject(new Error('away')),
      () => Promise.resolve([]),
    ];
    const worker = startWorker({
      outbox: new ScriptedOutbox(database, claims),
      logger: { ...silentLogger, warn: write, info: write },
      pollMs: 3_600_000,
    });
    worker.wake();
    worker.wake();
    await waitUntil(() => lines.length > 0, { what: 'a warning' });
    answer();
    await nextTurn();
    expect(lines).toEqual(['the mail outbox cannot be reached; trying on']);
    worker.wake();
    await waitUntil(() => lines.length > 1, { what: 'the good news' });
  });
});

describe('one-time secrets', () => {
  const invitation: OutboxEntry = {
    kind: 'invitation',
    recipient: 'guest@example.com',
    payload: { invitationId: 'i-1', companyId: 'c-1', companyName: 'Engines' },
  };

  it('a secret is created when the mail is sent and is never in the outbox', async () => {
    const digests: Buffer[] = [];
    startWorker({
      composer: composerWithInvitation(({ payload }) => {
        const token = generateSecret('lki_');
        digests.push(digestOf(token));
        const url = `https://auth.example.com/accept-invitation#${payload.invitationId}.${token}`;
        return Promise.resolve({ url, lifetime: 604_800 });
      }),
    });
    await queue(invitation);
    const mail = await sink.waitForMessage((message) => message.to.includes('guest@example.com'));
    const token = /lki_[\w-]+/.exec(mail.text)![0];
    expect(digests).toEqual([digestOf(token)]);
    const sent = await waitForStored('the sent mark', (row) => row.status === 'SENT');
    expect(JSON.stringify(sent)).not.toContain('lki_');
  });

  it('a mail whose cause no longer exists is skipped', async () => {
    startWorker({ composer: composerWithInvitation(() => Promise.resolve('skip')) });
    await queue(invitation);
    await waitForStored('the skipped mark', (row) => row.status === 'SKIPPED');
    expect(sink.messages).toEqual([]);
  });

  it('each attempt requires a new secret, and a failed source is called again', async () => {
    let asked = 0;
    startWorker({
      composer: composerWithInvitation(() => {
        asked += 1;
        if (asked === 1) return Promise.reject(new Error('no database for the token'));
        return Promise.resolve({ url: `https://auth.example.com/invitation#${asked}`, lifetime: 60 });
      }),
    });
    await queue(invitation);
    const waiting = await waitForStored('a failed attempt', (row) => row.last_error !== null);
    expect(waiting.last_error).toBe('no database for the token');
    await endWait();
    const mail = await sink.waitForMessage((message) => message.to.includes('guest@example.com'));
    expect(mail.text).toContain('https://auth.example.com/invitation#2');
  });
});

it('mail of a kind that only a newer version sends stays queued', async () => {
  await queue({
    ...registrationOf('guest@example.com'),
    kind: 'of_a_newer_version',
  } as unknown as OutboxEntry);
  startWorker();
  await queue(registrationOf('ada@example.com'));
  await sink.waitForMessage((message) => message.to.includes('ada@example.com'));
  const guest = (await storedMails()).find((row) => row.recipient === 'guest@example.com');
  expect(guest).toMatchObject({ status: 'PENDING', attempts: 0 });
});

describe('stopping', () => {
  it('stop waits for the running sending and claims no further mail', async () => {
    const mailer = new SlowMailer();
    const worker = startWorker({ mailer, concurrency: 1 });
    await queue(registrationOf('first@example.com'));
    await queue(registrationOf('second@example.com'));
    await waitUntil(() => mailer.started.length === 1, { what: 'the first mail' });
    let stopped = false;
    const stopping = worker.stop().then(() => (stopped = true));
    expect(await outbox.countPending()).toBe(2);
    expect(stopped).toBe(false);
    mailer.release();
    await stopping;
    expect((await storedMails()).map((row) => row.status)).toEqual(['SENT', 'PENDING']);
    worker.wake();
    expect(mailer.started).toEqual(['first@example.com']);
  });

  it('stop does not wait longer for a mail that hangs; its lease expires', async () => {
    const mailer = new SlowMailer();
    const worker = startWorker({ mailer });
    cleanUps.push(() => mailer.release());
    await queue(registrationOf('ada@example.com'));
    await waitUntil(() => mailer.started.length === 1, { what: 'the mail under way' });
    await worker.stop(20);
    expect(await worker.depth()).toBe(1);
  });

  it('a stopped worker can be started again', async () => {
    const worker = startWorker();
    await worker.stop();
    worker.start();
    await queue(registrationOf('ada@example.com'));
    await sink.waitForMessage((message) => message.to.includes('ada@example.com'));
  });
});

it('the depth counts mail that waits', async () => {
  const worker = new MailWorker({
    outbox,
    composer: mailComposer(),
    mailer: smtpMailer(),
    logger: silentLogger,
  });
  await queue(registrationOf('one@example.com'));
  await queue(registrationOf('two@example.com'));
  expect(await worker.depth()).toBe(2);
});

const composerWithInvitation = (complete: MailSources['invitation']['complete']): MailComposer =>
  mailComposer({ invitation: { complete } });
