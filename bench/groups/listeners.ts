import pg from 'pg';
import type { BenchEnvironment } from '../support/environment.js';
import { p99Ratio } from '../support/group.js';
import { connectionsFor, type GroupSource } from './group-source.js';
import { readGroup } from './reads.js';

const LISTENERS = 1_000;
const LISTENER_CLIENT = new URL('../servers/feed-listeners.ts', import.meta.url);
/** Revocations during the measurement. Every listener gets each revocation. */
const KINDS = [
  { kind: 'idle', perSecond: 0, text: 'no revocations', goal: 0.95 },
  { kind: 'busy', perSecond: 2, text: '2 revocations a second', goal: 0.9 },
];
const RAISE = 'UPDATE users SET token_version = token_version + 1 WHERE email = $1';

export const listeners: GroupSource = {
  about: `GET /auth/me while ${LISTENERS.toLocaleString('en')} streams follow the revocation feed, compared with none`,
  async open(environment, options) {
    const { driver } = environment;
    // Both are new: a service that has served other groups is faster, because its code is optimized.
    const quiet = await environment.startService({});
    const busy = await environment.startService({});
    const [session] = await environment.signIn(1);
    const headers = { authorization: `Bearer ${session?.accessToken ?? ''}` };
    const reader = (name: string, { url, pid }: { url: string; pid: number }) => ({
      name,
      url: `${url}/auth/me`,
      headers,
      processes: environment.withPostgres(pid),
    });
    const readers = {
      subject: reader(`GET /auth/me, ${LISTENERS} listeners`, busy),
      baseline: reader('GET /auth/me, no listeners', quiet),
    };
    return connectionsFor(options, [50]).flatMap((connections) =>
      KINDS.map(({ kind, perSecond, text, goal }) => {
        const title = `GET /auth/me on ${connections} connections, ${text}`;
        const name = `listeners-${kind}-${connections}`;
        const bound = connections === 50 && { goal };
        const group = readGroup(driver, readers, { name, title, connections, ...bound });
        return {
          ...group,
          comparisons: [...group.comparisons, latencyComparison(readers)],
          surround: () => startListening(environment, busy.url, perSecond),
        };
      }),
    );
  },
};

const latencyComparison = ({ subject, baseline }: Record<'subject' | 'baseline', { name: string }>) => ({
  label: `${subject.name}: p99`,
  against: baseline.name,
  value: p99Ratio([subject.name, baseline.name]),
});

/** Opens the streams and keeps revoking. @returns what ends both. */
async function startListening(
  environment: BenchEnvironment,
  url: string,
  perSecond: number,
): Promise<() => Promise<void>> {
  const streams = await environment.startChild(LISTENER_CLIENT, {
    env: {
      URL: `${url}/internal/revocations`,
      LISTENERS: String(LISTENERS),
      INTERNAL_KEY: environment.settings.AUTH_INTERNAL_API_KEY ?? '',
    },
  });
  const stopRevoking = perSecond > 0 ? await keepRevoking(environment, perSecond) : undefined;
  return async () => {
    await stopRevoking?.();
    streams.stop();
  };
}

/** Raises the token version of a user who is signed in nowhere, several times a second, until it is stopped. */
async function keepRevoking(
  { postgres, emails }: BenchEnvironment,
  perSecond: number,
): Promise<() => Promise<void>> {
  const client = new pg.Client(postgres.url);
  await client.connect();
  let raising: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    raising = client.query(RAISE, [emails.at(-1)]);
  }, 1000 / perSecond);
  return async () => {
    clearInterval(timer);
    await raising;
    await client.end();
  };
}
