import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { BenchEnvironment } from '../support/environment.js';
import { p99Ratio, type Contestant, type Group } from '../support/group.js';
import { connectionsFor, type GroupSource } from './group-source.js';
import { readComparisons, readContestant, type Reader } from './reads.js';

const LISTENERS = 1_000;
const STREAM_SERVER = new URL('../servers/stream-server.ts', import.meta.url);
const BODY = JSON.stringify({ success: true, data: { id: 'a', email: 'a@example.com', roles: [] } });
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
    // A server is compared with itself: two of them differ by a quarter at times, because their code was optimized at
    // other moments.
    const service = await ownReader(environment);
    const express = await expressReader(environment);
    return connectionsFor(options, [50]).flatMap((connections) =>
      KINDS.map(({ kind, perSecond, text, goal }): Group => {
        const [quiet, busy] = namesOf('GET /auth/me');
        const limit = namesOf('Express, the same JSON');
        const contestant = (name: string, reader: StreamReader) =>
          readContestant(environment.driver, { ...reader, name }, connections);
        return {
          name: `listeners-${kind}-${connections}`,
          title: `GET /auth/me on ${connections} connections, ${text}`,
          baseline: quiet,
          rounds: Math.max(options.rounds, MIN_ROUNDS),
          contestants: [
            contestant(quiet, service),
            beside(contestant(busy, service), () => startListening(environment, service, perSecond)),
            // Streams without revocations show what they cost whatever the server is.
            ...(perSecond > 0
              ? []
              : [
                  contestant(limit[0], express),
                  beside(contestant(limit[1], express), () => startListening(environment, express, 0)),
                ]),
          ],
          comparisons: [
            ...readComparisons(busy, [busy, quiet], connections === 50 ? goal : undefined),
            { label: `${busy}: p99`, against: quiet, value: p99Ratio([busy, quiet]) },
            ...(perSecond > 0 ? [] : readComparisons(limit[1], [limit[1], limit[0]])),
          ],
        };
      }),
    );
  },
};

const namesOf = (what: string): [without: string, beside: string] => [
  `${what}, no listeners`,
  `${what}, ${LISTENERS} listeners`,
];

/** A reader, and the address of the streams of its server. */
interface StreamReader extends Omit<Reader, 'name'> {
  streams: string;
}

async function ownReader(environment: BenchEnvironment): Promise<StreamReader> {
  const { url, pid } = await environment.startService({});
  const { accessToken } = await environment.signInOne();
  return {
    url: `${url}/auth/me`,
    headers: { authorization: `Bearer ${accessToken}` },
    processes: environment.withPostgres(pid),
    streams: `${url}/internal/revocations`,
  };
}

async function expressReader(environment: BenchEnvironment): Promise<StreamReader> {
  const { url, pid } = await environment.startChild(STREAM_SERVER, { env: { BODY } });
  return { url: `${url}/bare`, processes: { server: pid }, streams: `${url}/streams` };
}

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

/** Opens the streams and keeps revoking. @returns what ends both. */
async function startListening(
  environment: BenchEnvironment,
  { streams: url }: StreamReader,
  perSecond: number,
): Promise<() => Promise<void>> {
  const streams = await environment.startChild(LISTENER_CLIENT, {
    env: {
      URL: url,
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
