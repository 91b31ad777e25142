import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { allowedMs, besideProbe } from '../support/beside-probe.js';
import { runCliHere } from '../support/cli-process.js';
import { FailoverLoad } from '../support/failover-load.js';
import { PostgresPair } from '../support/postgres-pair.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { INTERNAL_KEY } from '../support/service.js';
import { TcpLink } from '../support/tcp-link.js';
import { testKeys } from '../support/test-keys.js';
import { waitUntil } from '../support/wait-until.js';

const PROMISED_MS = 10_000;

let pair: PostgresPair;
let service: ServiceProcess;
let client: ApiClient;
let load: FailoverLoad;

beforeEach(async () => {
  pair = await PostgresPair.start();
});

afterEach(() => pair.stop());

/** Starts the service on the list of hosts, and the load. */
async function startLoad(url: string): Promise<void> {
  service = await startService({
    program: 'cheap-passwords-server',
    env: {
      APP_ENV: 'test',
      DATABASE_URL: url,
      JWT_SIGNING_KEY_PEM: testKeys().privateKeyPem,
      AUTH_INTERNAL_API_KEY: INTERNAL_KEY,
      LOGIN_RATE_LIMIT: '100000',
      // A client repeats a refresh that was not answered.
      REFRESH_REUSE_GRACE: '60',
      LOG_LEVEL: 'warn',
    },
  });
  client = new ApiClient(service.url);
  load = await FailoverLoad.start(client);
  await untilFurtherWrites();
}

const untilFurtherWrites = async () => {
  const before = load.writes;
  await waitUntil(() => load.writes >= before + 20, { what: 'further writes' });
};

/** Measures from the promotion to the first acknowledged write. */
const promoteAndMeasure = () =>
  besideProbe(
    async () => {
      await pair.promote();
      const before = load.writes;
      await waitUntil(() => load.writes > before, { what: 'a write on the new primary' });
    },
    () => client.call('GET', '/health'),
  );

/** Every session of an acknowledged write is active, with the tokens that were returned last. */
async function expectNothingLost(): Promise<void> {
  await load.stop();
  for (const { refreshToken } of [...load.signedIn, ...load.refreshed]) {
    const answer = await client.call('POST', '/auth/refresh', { body: { refreshToken } });
    expect(answer.status, answer.text).toBe(200);
  }
}

const expectOnlyUnavailable = () =>
  expect(load.failures.filter((failure) => failure !== '503 service_unavailable')).toEqual([]);

describe('a service under load', () => {
  afterEach(async () => {
    await load.stop();
    client.close();
    const exit = await service.stop();
    expect(exit, service.output()).toEqual({ code: 0, signal: null });
  });

  it('a promoted standby is used within 10 seconds, no request is answered 401, and no acknowledged write is lost', async () => {
    await startLoad(pair.url(pair.primary, pair.standby));
    pair.primary.kill();
    await sleep(300);
    const measured = await promoteAndMeasure();
    expect(measured.milliseconds).toBeLessThan(allowedMs(PROMISED_MS, measured));
    await untilFurtherWrites();
    await waitUntil(async () => (await client.call('GET', '/ready')).status === 200, {
      what: '200 of /ready',
    });
    await expectNothingLost();
    expectOnlyUnavailable();
    expect(service.output()).toContain('Another host of DATABASE_URL is used now: the former one failed.');
  });

  it('a primary that falls silent is left for the promoted standby within 10 seconds', async () => {
    const link = await TcpLink.to(pair.primary.url);
    await startLoad(pair.url({ host: new URL(link.by(pair.primary.url)).host }, pair.standby));
    link.pause();
    const measured = await promoteAndMeasure();
    expect(measured.milliseconds).toBeLessThan(allowedMs(PROMISED_MS, measured));
    await untilFurtherWrites();
    await expectNothingLost();
    expectOnlyUnavailable();
    await link.close();
  });

  it('the order of the list does not matter, and a restart of the standby is not noticed', async () => {
    await startLoad(pair.url(pair.standby, pair.primary));
    // Without this the commits of the primary would wait for the standby.
    await pair.primary.sql('alter system set synchronous_standby_names = default');
    await pair.primary.sql('select pg_reload_conf()');
    await pair.standby.stop();
    await untilFurtherWrites();
    await pair.standby.start();
    await untilFurtherWrites();
    await expectNothingLost();
    expect(load.failures).toEqual([]);
  });
});

it('doctor reports the role of each host, and commits that do not wait for a standby', async () => {
  const env = { DATABASE_URL: pair.url(pair.standby, pair.primary) };
  const roles = `${pair.standby.host} is a standby, ${pair.primary.host} is the primary`;
  const before = (await runCliHere(['doctor'], { env })).stdout;
  expect(before).toContain(`ok\tdatabase.hosts\t${roles}\t`);
  expect(before).toContain('ok\tdatabase.synchronous\tsynchronous_standby_names is *\t');
  expect(before).toMatch(/^ok\tdatabase\.primary\ta primary\t/m);
  await pair.primary.sql('alter system set synchronous_standby_names = default');
  await pair.primary.sql('select pg_reload_conf()');
  await pair.standby.stop();
  const after = (await runCliHere(['doctor'], { env })).stdout;
  expect(after).toMatch(
    /^warning\tdatabase\.hosts\t\S+ does not respond \(connect ECONNREFUSED \S+\), \S+ is the primary\t/m,
  );
  expect(after).toMatch(/^warning\tdatabase\.synchronous\tsynchronous_standby_names is empty\t/m);
});
