import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Verifier, WhenStale } from '@latchkey/verifier';
import { ApiClient } from '../support/api-client.js';
import { allowedMs, besideProbe, type Measured } from '../support/beside-probe.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { INTERNAL_KEY } from '../support/service.js';
import { TcpLink } from '../support/tcp-link.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { testKeys } from '../support/test-keys.js';
import { MovedClock } from '../support/verifier/moved-clock.js';
import { closeAfterAll, codeOf, untilState, verifierOf } from '../support/verifier/verifiers.js';
import { waitUntil } from '../support/wait-until.js';

const ISSUER = 'http://localhost:3000';

let database: TestDatabase;
let service: ServiceProcess;
let client: ApiClient;
/** A second process of the same service, to be killed. */
let mortal: ServiceProcess;

const launch = (port?: number): Promise<ServiceProcess> =>
  startService({
    program: 'cheap-passwords-server',
    env: {
      ...{ APP_ENV: 'test', DATABASE_URL: database.url, AUTH_BASE_URL: ISSUER, LOG_LEVEL: 'warn' },
      ...{ JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem, AUTH_INTERNAL_API_KEY: INTERNAL_KEY },
      ...(port !== undefined && { PORT: String(port) }),
    },
  });

beforeAll(async () => {
  database = await createTestDatabase();
  [service, mortal] = await Promise.all([launch(), launch()]);
  client = new ApiClient(service.url);
});

afterAll(async () => {
  client.close();
  await Promise.all([service.stop(), mortal.stop()]);
  await database.drop();
});

closeAfterAll();

const machine = (method: string, path: string, body?: object) =>
  client.call(method, path, { headers: { 'x-internal-api-key': INTERNAL_KEY }, ...(body && { body }) });

let emails = 0;

/** A user with a session, and what revokes it. */
async function signedIn() {
  const email = `user-${++emails}@example.com`;
  const user = await machine('POST', '/internal/admin/users', {
    email,
    fullName: 'Ann',
    password: 'a long walk home',
  });
  expect(user.status, user.text).toBe(201);
  const session = await machine('POST', `/internal/admin/users/${user.data.id}/sessions`);
  const { accessToken: token, refreshToken } = session.data;
  const revoke = () => client.call('POST', '/auth/logout', { body: { refreshToken } });
  return { token, revoke };
}

const credential = { internalApiKey: INTERNAL_KEY };

interface Linked {
  link: TcpLink;
  verifier: Verifier;
  clock: MovedClock;
}

async function linked(whenStale: WhenStale): Promise<Linked> {
  const link = await TcpLink.to(service.url);
  const clock = new MovedClock();
  const options = { issuer: ISSUER, credential, whenStale, clock };
  return { link, verifier: await verifierOf({ url: link.by(service.url) }, options), clock };
}

const health = (of = service): Promise<unknown> => fetch(`${of.url}/health`);

/** The feed is stale without a sign of life for so long, and the service gives one at least every five seconds. */
const STALE_AFTER = 10;
const HEARTBEAT = 5;
/** Seconds of the silence that the clock leaps over. The rest passes by itself. */
const LEAP = 4;

interface Cut {
  verifier: Verifier;
  clock: MovedClock;
  token: string;
  /** Seconds of silence after which the policy refuses the token. */
  seconds: number;
}

/** Expects that a token is accepted until the policy ends it, from now on, when the service has fallen silent. */
async function expectPolicy({ verifier, clock, token, seconds }: Cut): Promise<void> {
  const silence = (): number => clock.now() - Number(verifier.status.heardAt);
  const silentAlready = silence();
  clock.pass(LEAP);
  const isRefused = async () => (await codeOf(verifier, token)) !== 'accepted';
  const waited = await besideProbe(
    async () => {
      await waitUntil(isRefused, { what: 'the end of the policy' });
      return silence();
    },
    () => health(),
  );
  expect(silentAlready).toBeLessThan(allowedMs((HEARTBEAT + 1) * 1_000, waited));
  // The status is rounded to milliseconds.
  expect(waited.result).toBeGreaterThan(seconds * 1_000 - 2);
  expect(waited.result).toBeLessThan(allowedMs((seconds + 1) * 1_000, waited));
  expect(await codeOf(verifier, token)).toBe('service_unavailable');
}

/** Returns how long the verifier took to be live, and refuse what was revoked meanwhile. */
const recovered = (verifier: Verifier, revoked: string): Promise<Measured<unknown>> =>
  besideProbe(
    async () => {
      await untilState(verifier, 'live');
      await waitUntil(async () => (await codeOf(verifier, revoked)) === 'session_revoked', {
        what: 'the revocation',
      });
    },
    () => health(),
  );

const FAULTS: [string, (link: TcpLink) => void][] = [
  ['cut', (link) => link.cut()],
  ['paused, so that no byte passes', (link) => link.pause()],
];

describe('a verifier of a running service', () => {
  it.concurrent.each(FAULTS)(
    'a link that is %s ends acceptance at the policy, and is used again',
    async (_what, fail) => {
      const policies: [WhenStale, number][] = [
        ['refuse', STALE_AFTER],
        [{ acceptSeconds: 3 }, STALE_AFTER + 3],
      ];
      const outcomes = policies.map(async ([whenStale, seconds]) => {
        const { link, verifier, clock } = await linked(whenStale);
        const [kept, revoked] = [await signedIn(), await signedIn()];
        expect(await codeOf(verifier, revoked.token)).toBe('accepted');
        fail(link);
        expect((await revoked.revoke()).status).toBe(200);
        await expectPolicy({ verifier, clock, token: kept.token, seconds });
        link.fix();
        const back = await recovered(verifier, revoked.token);
        expect(back.milliseconds).toBeLessThan(allowedMs(5_000, back));
        expect(await codeOf(verifier, kept.token)).toBe('accepted');
        await link.close();
      });
      await Promise.all(outcomes);
    },
  );

  it.concurrent('a service that cannot be reached is asked in vain, and asked where only the stream is cut', async () => {
    const { link, verifier, clock } = await linked('ask');
    const [kept, revoked] = [await signedIn(), await signedIn()];
    link.pause();
    clock.pass(LEAP);
    await untilState(verifier, 'stale');
    expect(await codeOf(verifier, kept.token)).toBe('service_unavailable');
    await revoked.revoke();
    link.fix();
    expect(await codeOf(verifier, kept.token)).toBe('accepted');
    expect(await codeOf(verifier, revoked.token)).toBe('session_revoked');
    await link.close();
  });

  it.concurrent('a clock that jumps ends acceptance at once, and a new connection continues', async () => {
    const clock = new MovedClock();
    const verifier = await verifierOf(service, { issuer: ISSUER, credential, clock, whenStale: 'refuse' });
    const { token } = await signedIn();
    expect(await codeOf(verifier, token)).toBe('accepted');
    clock.sleep(60);
    expect(await codeOf(verifier, token)).toBe('service_unavailable');
    await waitUntil(async () => (await codeOf(verifier, token)) === 'accepted', { what: 'acceptance' });
  });

  it.concurrent('a service that is killed ends acceptance at the policy, and is used again when it is back', async () => {
    const clock = new MovedClock();
    const verifier = await verifierOf(mortal, { issuer: ISSUER, credential, whenStale: 'refuse', clock });
    const { token, revoke } = await signedIn();
    expect(await codeOf(verifier, token)).toBe('accepted');
    mortal.signal('SIGKILL');
    await mortal.exited;
    await expectPolicy({ verifier, clock, token, seconds: STALE_AFTER });
    mortal = await launch(mortal.port);
    const back = await besideProbe(
      () => untilState(verifier, 'live'),
      () => health(mortal),
    );
    expect(back.milliseconds).toBeLessThan(allowedMs(5_000, back));
    expect(await codeOf(verifier, token)).toBe('accepted');
    expect((await revoke()).status).toBe(200);
    await waitUntil(async () => (await codeOf(verifier, token)) === 'session_revoked', {
      what: 'the revocation',
    });
  });
});
