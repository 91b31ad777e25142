import { randomBytes } from 'node:crypto';
import { PASSWORD, type BenchEnvironment } from '../support/environment.js';
import {
  p50Ratio,
  p99Ratio,
  SIGN_IN_WARM_UP_SECONDS,
  type Contestant,
  type Group,
} from '../support/group.js';
import type { OpenLoad } from '../support/load.js';
import { meterLoad } from '../support/meter.js';
import type { GroupSource } from './group-source.js';

const RECEIVER = new URL('../servers/webhook-receiver.ts', import.meta.url);
/** More than are sent at the same time. */
const ENDPOINTS = 5;
/** More deliveries of each endpoint than a round can send. */
const QUEUED = 10_000;
/** Sign-ins per second: the machine has time for them. */
const RATE = 5;
const QUIET = 'POST /auth/login';
const BUSY = 'POST /auth/login while messages are sent';

export const deliveries: GroupSource = {
  about: 'latency of sign-ins at a fixed rate while the queue of webhooks is always full',
  async open(environment) {
    const { url, pid } = await environment.startService({
      // Receivers of this machine are allowed outside production.
      APP_ENV: 'test',
      WEBHOOKS: 'platform',
      ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    });
    const ids = await createWebhooks(environment, url);
    const contestant = (name: string, prepare: () => Promise<void>): Contestant => ({
      name,
      run: async (seconds) => {
        await prepare();
        return meterLoad(
          environment.driver,
          environment.withPostgres(pid),
          signIns(environment, url, seconds),
        );
      },
    });
    const group: Group = {
      name: 'deliveries',
      title: `${RATE} sign-ins a second, without and with ${ENDPOINTS} webhooks whose queue is full`,
      baseline: QUIET,
      warmUpSeconds: SIGN_IN_WARM_UP_SECONDS,
      contestants: [
        contestant(QUIET, () => setQueue(environment, [])),
        contestant(BUSY, () => setQueue(environment, ids)),
      ],
      comparisons: [
        { label: `${BUSY}: p50`, against: QUIET, value: p50Ratio([BUSY, QUIET]), goal: { atMost: 1.05 } },
        { label: `${BUSY}: p99`, against: QUIET, value: p99Ratio([BUSY, QUIET]) },
      ],
    };
    return [group];
  },
};

const signIns = ({ emails }: BenchEnvironment, url: string, seconds: number): OpenLoad => ({
  kind: 'open',
  url: `${url}/auth/login`,
  method: 'POST',
  variants: emails.map((email) => ({ body: JSON.stringify({ email, password: PASSWORD }) })),
  connections: 4,
  rate: RATE,
  seconds,
});

/** They want no event that a sign-in causes: what is sent is what the group has queued. */
async function createWebhooks(environment: BenchEnvironment, url: string): Promise<string[]> {
  const receiver = await environment.startChild(RECEIVER, { env: {} });
  const ids: string[] = [];
  for (let index = 0; index < ENDPOINTS; index += 1) {
    const reply = await fetch(`${url}/internal/admin/webhooks`, {
      method: 'POST',
      headers: {
        'x-internal-api-key': environment.settings.AUTH_INTERNAL_API_KEY ?? '',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ url: `${receiver.url}/${index}`, events: ['passkey.removed'] }),
    });
    const { data } = (await reply.json()) as { data?: { webhook: { id: string } } };
    if (!data) throw new Error(`no webhook was created: status ${reply.status}`);
    ids.push(data.webhook.id);
  }
  return ids;
}

/** Replaces the queue by a full one for these webhooks. */
const setQueue = (environment: BenchEnvironment, ids: readonly string[]): Promise<void> =>
  environment.sql(async (client) => {
    await client.query('DELETE FROM webhook_deliveries');
    await client.query(
      `INSERT INTO webhook_deliveries (id, endpoint_id, event, payload)
       SELECT gen_random_uuid(), id, 'webhook.test', '{}' FROM unnest($1::uuid[]) AS id, generate_series(1, $2)`,
      [ids, QUEUED],
    );
  });
