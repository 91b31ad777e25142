import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuRatio, throughputRatio, type Contestant, type Goal } from '../../support/group.js';
import { meterLoad } from '../../support/meter.js';
import type { PeerRun } from '../peer-run.js';
import { latchkeyReaders, type SessionReaders } from '../session-readers.js';
import type { PeerSource } from './peer-source.js';

const DATABASE = 'Latchkey, default';
const HINT = 'Latchkey, hint';
/** Without `messageClasses(app)`, like the routes of the peers. */
const PLAIN = ', plain server';
const VERIFIER = 'Latchkey, verifier';
const OAUTH2 = 'express-oauth2-jwt-bearer';
const JWT = 'express-jwt';

const PAIRS: [subject: string, baseline: string, goal?: Goal][] = [
  [DATABASE, OAUTH2, { atLeast: 1 }],
  [HINT, OAUTH2, { atLeast: 1 }],
  [DATABASE + PLAIN, OAUTH2],
  [HINT + PLAIN, OAUTH2],
  [VERIFIER, OAUTH2, { atLeast: 1 }],
  [DATABASE, JWT],
  [HINT, JWT],
  [VERIFIER, JWT],
];

interface Guarded {
  name: string;
  pid: number;
  url: string;
  /** The way in which the guard recognizes a revoked session: it reads sessions, it follows the feed of revocations, or not at all. */
  revocation: 'read' | 'followed' | 'unseen';
}

export const guards: PeerSource = {
  about: "a guarded route of an Express app: Latchkey's guards compared with JWT middleware",
  async open(run, { connections }) {
    const guarded = [
      ...(await latchkeyHost(run, 'advised')),
      ...(await latchkeyHost(run, 'plain')),
      await verifierHost(run),
      ...(await peerHost(run)),
    ];
    await assertGuarded(run, guarded);
    const readers = await latchkeyReaders(run.latchkey, run.environment.emails);
    return connections.map((count) => ({
      name: `guard, ${count}`,
      title: `Guarded route, ${count} connections`,
      contestants: guarded.map((route) => contestant(run, route, readers, count)),
      baseline: OAUTH2,
      warmUpSeconds: 2,
      comparisons: PAIRS.flatMap(([subject, against, goal]) => [
        { label: subject, against, value: throughputRatio([subject, against]), ...(goal && { goal }) },
        { label: `${subject}: CPU per request`, against, value: cpuRatio([subject, against]) },
      ]),
    }));
  },
};

async function latchkeyHost(run: PeerRun, httpServer: 'advised' | 'plain'): Promise<Guarded[]> {
  const { settings } = run.environment;
  const { url, pid } = await run.startServer('latchkey-host.js', { ...settings, HTTP_SERVER: httpServer });
  const suffix = httpServer === 'plain' ? PLAIN : '';
  return [
    { name: DATABASE + suffix, pid, url: `${url}/database`, revocation: 'read' },
    { name: HINT + suffix, pid, url: `${url}/hint`, revocation: 'read' },
  ];
}

async function verifierHost(run: PeerRun): Promise<Guarded> {
  const { AUTH_BASE_URL = '', AUTH_INTERNAL_API_KEY = '' } = run.environment.settings;
  const { url, pid } = await run.startServer('verifier-host.js', {
    ...{ ISSUER: AUTH_BASE_URL, AUDIENCE: 'latchkey', AUTH_INTERNAL_API_KEY },
    LATCHKEY_URL: run.latchkey.url,
  });
  return { name: VERIFIER, pid, url: `${url}/verifier`, revocation: 'followed' };
}

async function peerHost(run: PeerRun): Promise<Guarded[]> {
  const { url, pid } = await run.startServer('guard-server.js', {
    ISSUER: run.environment.settings.AUTH_BASE_URL ?? '',
    AUDIENCE: 'latchkey',
    JWKS_URI: `${run.latchkey.url}/.well-known/jwks.json`,
  });
  return [OAUTH2, JWT].map((name) => ({ name, pid, url: `${url}/${name}`, revocation: 'unseen' }));
}

/** Verifies that each guard rejects what it can recognize. @throws AssertionError */
async function assertGuarded({ latchkey, environment }: PeerRun, guarded: readonly Guarded[]): Promise<void> {
  const tokens = await latchkey.signIn(environment.emails[0] ?? '');
  const forged = `${tokens.accessToken.slice(0, -8)}AAAAAAAA`;
  for (const { name, url } of guarded) {
    assert.equal(await statusOf(url, tokens.accessToken), 200, `${name} accepts a valid token`);
    assert.equal(await statusOf(url, forged), 401, `${name} refuses a forged token`);
    assert.equal(await statusOf(url), 401, `${name} refuses a request without a token`);
  }
  await latchkey.signOut(tokens);
  // The promise of the feed.
  await sleep(1_000);
  for (const { name, url, revocation } of guarded) {
    const expected = revocation === 'unseen' ? 200 : 401;
    assert.equal(await statusOf(url, tokens.accessToken), expected, `${name} after the session has ended`);
  }
}

async function statusOf(url: string, token?: string): Promise<number> {
  const reply = await fetch(
    url,
    token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
  );
  await reply.text();
  return reply.status;
}

function contestant(
  { environment }: PeerRun,
  { name, pid, url, revocation }: Guarded,
  { requests }: SessionReaders,
  connections: number,
): Contestant {
  const processes = revocation === 'read' ? environment.withPostgres(pid) : { server: pid };
  return {
    name,
    run: async (seconds) => {
      const variants = await requests();
      return meterLoad(environment.driver, processes, {
        kind: 'closed',
        url,
        variants,
        connections,
        seconds,
      });
    },
  };
}
