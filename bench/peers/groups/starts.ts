import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { PASSWORD } from '../../support/environment.js';
import { figureOf, type Comparison, type Contestant, type Group } from '../../support/group.js';
import { meterNoise } from '../../support/meter.js';
import { seedUsers } from '../../support/seed.js';
import { createDatabase, fillBetterAuth } from '../better-auth-database.js';
import { BetterAuth } from '../better-auth.js';
import { Latchkey } from '../latchkey.js';
import type { PeerRun } from '../peer-run.js';
import { timeToFirstAnswer, type StartedProcess } from '../started-process.js';
import type { PeerSource } from './peer-source.js';

const SIZES = [3800, 100_000];
const SERVICE = 'Latchkey, service';
const EMBEDDED = 'Latchkey, embedded';
const PEER = 'better-auth';
const EMAIL = 'user0@example.com';

const ROUNDS = 6;

const serverFile = (file: string): string => fileURLToPath(new URL(`../servers/${file}`, import.meta.url));
const SERVICE_FILE = fileURLToPath(new URL('../../../packages/server/dist/main.js', import.meta.url));

export const starts: PeerSource = {
  about: 'time from the start of a process to its first session read, on an existing database',
  async open(run) {
    const groups: Group[] = [];
    for (const users of SIZES) {
      const { headers, env } = await latchkeyOn(run, users);
      const latchkey = { env, headers, path: '/auth/me', answer: EMAIL };
      groups.push({
        name: `start, ${users}`,
        title: `Start to first session read, ${users.toLocaleString('en')} users`,
        contestants: [
          contestant(SERVICE, { ...latchkey, script: SERVICE_FILE }),
          contestant(EMBEDDED, { ...latchkey, script: serverFile('latchkey-app.js') }),
          contestant(PEER, await betterAuthOn(run, users)),
        ],
        baseline: PEER,
        rounds: ROUNDS,
        warmUpSeconds: 1,
        comparisons: COMPARISONS,
      });
    }
    return groups;
  },
};

const COMPARISONS: Comparison[] = [
  ...[SERVICE, EMBEDDED, PEER].map((name) => ({
    label: name,
    against: '',
    unit: 'ms',
    value: figureOf(name, 'startMs'),
  })),
  ...[SERVICE, EMBEDDED].flatMap((label) => [
    { label, against: PEER, value: ratioOf(label, 'startMs'), goal: { atMost: 1 } },
    { label: `${label}: CPU of the process`, against: PEER, value: ratioOf(label, 'cpuMs') },
  ]),
];

function ratioOf(name: string, figure: string): Comparison['value'] {
  return (round) => figureOf(name, figure)(round) / figureOf(PEER, figure)(round);
}

/** Creates a database with users and one session, by the service itself. */
async function latchkeyOn({ environment }: PeerRun, users: number) {
  const databaseUrl = await createDatabase(environment.postgres.url, `latchkey_start_${users}`);
  const service = await environment.startService({ DATABASE_URL: databaseUrl });
  await withClient(databaseUrl, (client) => seedUsers(client, users, PASSWORD));
  const { accessToken } = await new Latchkey(service, PASSWORD).signIn(EMAIL);
  await service.stop();
  await analyze(databaseUrl);
  return {
    env: { ...environment.settings, DATABASE_URL: databaseUrl, HOST: '127.0.0.1' },
    headers: { authorization: `Bearer ${accessToken}` },
  };
}

/** Creates the same with better-auth: its server creates the tables and the first user, the other users are copies. */
async function betterAuthOn(run: PeerRun, users: number): Promise<StartedProcess> {
  const databaseUrl = await createDatabase(run.environment.postgres.url, `better_auth_start_${users}`);
  const secret = randomBytes(32).toString('base64');
  const server = await BetterAuth.start((env) => run.startServer('better-auth-server.js', env), {
    sessions: 'database',
    hashing: 'argon2',
    databaseUrl,
    redisUrl: '',
    emails: [EMAIL],
    password: PASSWORD,
    secret,
  });
  const cookie = await server.signIn(EMAIL);
  server.stop();
  await fillBetterAuth(databaseUrl, users);
  await analyze(databaseUrl);
  return {
    script: serverFile('better-auth-host.js'),
    env: { DATABASE_URL: databaseUrl, BETTER_AUTH_SECRET: secret, POOL_MAX: '10' },
    path: '/api/auth/get-session',
    headers: { cookie },
    answer: EMAIL,
  };
}

const contestant = (name: string, started: StartedProcess): Contestant => ({
  name,
  run: () =>
    meterNoise(async () => {
      const times = await timeToFirstAnswer(started);
      return { count: 1, perSecond: 1000 / times.startMs, figures: { ...times } };
    }),
});

const analyze = (url: string): Promise<unknown> =>
  withClient(url, (client) => client.query('VACUUM ANALYZE'));

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
