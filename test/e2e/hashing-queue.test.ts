import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allRoutes } from '@latchkey/express-adapter';
import type { Answer } from '../support/api-client.js';
import { describeWithRedis, startRedis } from '../support/redis.js';
import { INTERNAL_KEY, serviceForThisTest, type TestService } from '../support/service.js';
import { TcpLink } from '../support/tcp-link.js';
import { createTestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

const FLOODER = '203.0.113.66';
const OTHER = '198.51.100.7';
/** Maximum length of the queue for one address: a quarter of 64 for each core. */
const SHARE = Math.floor((os.availableParallelism() * 64) / 4);
const BUSY = { status: 503, code: 'service_unavailable' };
/** A stored hash that matches no known password and takes a thread for that many iterations. */
const slowHash = (iterations: number): string =>
  `$argon2id$v=19$m=19456,t=${iterations},p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Skips the check of the response time: queued work is slow on a busy machine. */
const signIn = (service: TestService, address: string, email: string, password = 'a wrong password') =>
  service.client.send('POST', '/auth/login', {
    body: { email, password },
    headers: { 'x-forwarded-for': address },
  });

/** Milliseconds after which a waiting password is refused; slightly less, as clients measure it. */
const WAITED = 2900;

/** Signs in, and retries if the busy machine started no hash in time; does not retry if the queue was full. */
async function retriedSignIn(...attempt: Parameters<typeof signIn>): Promise<Answer> {
  const answer = await signIn(...attempt);
  return answer.status === 503 && answer.milliseconds >= WAITED ? retriedSignIn(...attempt) : answer;
}

/** Creates that many accounts whose passwords take long to verify. Returns their emails. */
async function slowAccounts(service: TestService, count: number, iterations: number): Promise<string[]> {
  const rows = await service.sql(
    `INSERT INTO users (id, email, password_hash, global_role, approval_status, is_active)
     SELECT gen_random_uuid(), 'slow-' || gen_random_uuid() || '@example.com', $2, 'NONE', 'APPROVED', true
     FROM generate_series(1, $1) RETURNING email`,
    [count, slowHash(iterations)],
  );
  return rows.map(({ email }) => String(email));
}

const queued = async (service: TestService): Promise<number> => {
  const { text } = await service.client.send('GET', '/metrics', {
    headers: { 'x-internal-api-key': INTERNAL_KEY },
  });
  return Number(/^latchkey_password_hashing_queued (\d+)$/m.exec(text)?.[1]);
};

describe('an address that floods the sign-in', () => {
  it('an address that floods the sign-in is rejected itself, and all other addresses sign in', async () => {
    const service = await serviceForThisTest({ env: { TRUST_PROXY: '1' }, realPasswordCost: true });
    const answers: Answer[] = [];
    let isOver = false;
    const attack = async (email: string): Promise<void> => {
      while (!isOver) {
        const answer = await signIn(service, FLOODER, email);
        answers.push(answer);
        if (answer.status === 503) await sleep(500);
      }
    };
    const attacks = (await slowAccounts(service, Math.max(200, SHARE * 5), 2)).map(attack);
    const endAttack = async (): Promise<void> => {
      isOver = true;
      await Promise.allSettled(attacks);
    };
    onTestFinished(endAttack);
    await waitUntil(() => answers.some(({ status }) => status === 503), { what: 'a refusal' });
    for (let round = 0; round < 3; round++) {
      const { email, password } = await service.createUser();
      expect(await retriedSignIn(service, OTHER, email, password)).toMatchObject({ status: 200 });
    }
    await endAttack();
    const refused = answers.filter(({ status }) => ![401, 429].includes(status));
    for (const answer of refused) expect(answer).toMatchObject(BUSY);
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  });
});

describeWithRedis('a sign-in that finds the queue full', () => {
  it('a sign-in that finds the queue full costs no statement, counts towards its limit, and reads go on', async () => {
    const [database, redis] = [await createTestDatabase(), await startRedis()];
    const links = [await TcpLink.to(database.url), await TcpLink.to(redis.url)] as const;
    const service = await serviceForThisTest({
      realPasswordCost: true,
      env: { TRUST_PROXY: '1' },
      databaseUrl: links[0].by(database.url),
      redis: links[1].by(redis.url),
    });
    onTestFinished(async () => {
      await Promise.all(links.map((link) => link.close()));
      await Promise.all([redis.stop(), database.drop()]);
    });
    const reader = await service.signedIn();
    const limited = (): number => links[1].sent.split('login-rate').length;
    /** Returns whether all of 60 sign-ins met a full share; those that did must have been counted, no more. */
    const meetFullShare = async (round: number): Promise<boolean> => {
      const busy = (await slowAccounts(service, SHARE + os.availableParallelism() + 8, 200)).map((email) =>
        signIn(service, FLOODER, email),
      );
      await waitUntil(async () => (await queued(service)) === SHARE, { what: 'a full share' });
      const before = limited();
      const emails = Array.from({ length: 60 }, (_, index) => `shed-${round}-${index}@example.com`);
      const [attempts, reads] = await Promise.all([
        Promise.all(emails.map((email) => signIn(service, FLOODER, email))),
        Promise.all(emails.map(() => service.api('GET', '/auth/me', { token: reader.accessToken }))),
      ]);
      const after = limited();
      await Promise.all(busy);
      const shed = emails.filter((_, index) => attempts[index]?.status === 503);
      for (const email of shed) expect(links[0].sent).not.toContain(email);
      expect(reads.map(({ status }) => status)).toEqual(Array(60).fill(200));
      if (shed.length < emails.length) return false;
      expect(after - before).toBe(emails.length);
      return true;
    };
    // A busy machine may let the queue drain before all requests have arrived.
    let met = false;
    for (let round = 0; !met && round < 5; round++) met = await meetFullShare(round);
    expect(met).toBe(true);
    expect(limited()).toBeGreaterThan(1);
    expect(links[0].sent).toContain(reader.email);
  });
});

/** Sends the head of a request and the start of its body, and no more. Returns the connection. */
function unfinished(service: TestService, path: string, address: string): Socket {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(service.url).port) });
  // The service gives up waiting and closes it.
  socket.on('error', () => undefined);
  const head = [`POST ${path} HTTP/1.1`, 'Host: latchkey', `X-Forwarded-For: ${address}`];
  const body = ['Content-Type: application/json', 'Content-Length: 5000', '', '{"a":"'];
  socket.write([...head, ...body].join('\r\n'));
  return socket;
}

const HASHING = allRoutes.filter(({ hashesPassword, body }) => hashesPassword && body !== undefined);

describe('requests whose body never arrives', () => {
  it.each(HASHING.map(({ path }) => path))(
    'unfinished requests to %s do not keep other addresses from signing in',
    async (path) => {
      const env = { TRUST_PROXY: '1', LOGIN_RATE_LIMIT: '1000' };
      const service = await serviceForThisTest({ env, realPasswordCost: true });
      const users = await Promise.all(Array.from({ length: 6 }, () => service.createUser()));
      const open = Array.from({ length: 400 }, (_, index) =>
        unfinished(service, path, `203.0.113.${index % 8}`),
      );
      onTestFinished(() => open.forEach((socket) => socket.destroy()));
      await Promise.all(open.map((socket) => once(socket, 'connect')));
      // A connection that is opened later is served later: the service has seen the unfinished requests.
      await service.client.send('GET', '/health');
      const answers = await Promise.all(
        users.map(({ email, password }, index) =>
          retriedSignIn(service, `198.51.100.${index}`, email, password),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    },
  );
});

/** Holds what calls it until it is opened. */
class Barrier {
  waiting = 0;
  readonly #opening = new EventEmitter().setMaxListeners(0);

  async pass(): Promise<void> {
    this.waiting += 1;
    await once(this.#opening, 'open');
  }

  open(): void {
    this.#opening.emit('open');
  }
}

describe('a hook of the app that takes long', () => {
  const PASSWORD = 'a long walk home';
  const FLOOD = 150;
  const env = { TRUST_PROXY: '1', LOGIN_RATE_LIMIT: '30', REGISTRATION_APPROVAL: 'none' };
  const addressOf = (index: number): Record<string, string> => ({
    'x-forwarded-for': `203.0.113.${index % 5}`,
  });

  it('registrations that wait for it do not keep other addresses from signing in', async () => {
    const barrier = new Barrier();
    const extensions = { before: { register: () => barrier.pass() } };
    const service = await serviceForThisTest({ env, realPasswordCost: true, extensions });
    const users = await Promise.all(Array.from({ length: 6 }, () => service.createUser()));
    const flood = Array.from({ length: FLOOD }, (_, index) =>
      service.client.send('POST', '/auth/register', {
        body: { email: `waiting-${index}@example.com`, password: PASSWORD, fullName: 'Waiting' },
        headers: addressOf(index),
      }),
    );
    await waitUntil(() => barrier.waiting >= 100, { what: 'a hundred registrations in the hook' });
    await othersSignIn(service, users);
    barrier.open();
    expect((await Promise.all(flood)).filter(({ status }) => status === 201).length).toBeGreaterThan(0);
  });

  it('sign-ins that wait for it do not keep other addresses from signing in', async () => {
    const barrier = new Barrier();
    const held = new Set<string>();
    const login = ({ user }: { user: { email: string } }) =>
      held.has(user.email) ? barrier.pass() : undefined;
    const service = await serviceForThisTest({ env, extensions: { before: { login } } });
    const users = await Promise.all(Array.from({ length: 6 }, () => service.createUser()));
    const slow = await Promise.all(Array.from({ length: FLOOD }, () => service.createUser()));
    for (const { email } of slow) held.add(email);
    const flood = slow.map(({ email, password }, index) =>
      service.client.send('POST', '/auth/login', { body: { email, password }, headers: addressOf(index) }),
    );
    await waitUntil(() => barrier.waiting >= 100, { what: 'a hundred sign-ins in the hook' });
    await othersSignIn(service, users);
    barrier.open();
    expect((await Promise.all(flood)).filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  });

  /** The places of the last requests end a quarter of a second after they have arrived. */
  async function othersSignIn(service: TestService, users: { email: string; password: string }[]) {
    await sleep(400);
    const answers = await Promise.all(
      users.map(({ email, password }, index) =>
        retriedSignIn(service, `198.51.100.${index}`, email, password),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
  }
});
