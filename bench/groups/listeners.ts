import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { BenchEnvironment } from '../support/environment.js';
import { p99Ratio, type Contestant, type Group } from '../support/group.js';
import { connectionsFor, type GroupSource } from './group-source.js';
import { readGroup } from './reads.js';

const LISTENERS = 1_000;
const LISTENER_CLIENT = new URL('../servers/feed-listeners.ts', import.meta.url);
/** Until the service has answered or closed all streams. */
const SETTLE_MS = 500;
/** The difference is smaller than the noise of a few rounds. */
const MIN_ROUNDS = 12;
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
    // One service is compared with itself: two of them differ by a quarter at times, because their code was optimized
    // at other moments.
    const { url, pid } = await environment.startService({});
    const [session] = await environment.signIn(1);
    const headers = { authorization: `Bearer ${session?.accessToken ?? ''}` };
    const reader = (name: string) => ({
      name,
      url: `${url}/auth/me`,
      headers,
      processes: environment.withPostgres(pid),
    });
    const readers = {
      subject: reader(`GET /auth/me, ${LISTENERS} listeners`),
      baseline: reader('GET /auth/me, no listeners'),
    };
    return connectionsFor(options, [50]).flatMap((connections) =>
      KINDS.map(({ kind, perSecond, text, goal }): Group => {
        const title = `GET /auth/me on ${connections} connections, ${text}`;
        const name = `listeners-${kind}-${connections}`;
        const bound = connections === 50 && { goal };
        const group = readGroup(driver, readers, { name, title, connections, ...bound });
        return {
          ...group,
          rounds: Math.max(options.rounds, MIN_ROUNDS),
          contestants: group.contestants.map((contestant) =>
            contestant.name === readers.subject.name
              ? beside(contestant, () => startListening(environment, url, perSecond))
              : contestant,
          ),
          comparisons: [...group.comparisons, latencyComparison(readers)],
        };
      }),
    );
  },
};

/** Returns the contestant beside something that is started before each of its rounds and stopped after it. */
const beside = ({ name, run }: Contestant, start: () => Promise<() => Promise<void>>): Contestant => ({
  name,
  run: async (seconds) => {
    const stop = await start();
    try {
      return await run(seconds);
    } finally {
      await stop();
    }
  },
});

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
  await sleep(SETTLE_MS);
  return async () => {
    await stopRevoking?.();
    streams.stop();
    await sleep(SETTLE_MS);
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
