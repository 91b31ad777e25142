import { availableParallelism } from 'node:os';
import { PasswordHasher } from '../packages/core/src/passwords/password-hasher.js';
import { openArena, type Arena } from './support/arena.js';
import { compare, median, printResults, type Comparison } from './support/comparison.js';
import { drive } from './support/load.js';

// Register, sign-in, refresh and /auth/me beside bare Express, in one run, as ratios. Absolute figures depend on the
// machine and its other work; the ratios hold.
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const CONNECTIONS = 50;
/** A refresh waits on purpose, so more of them must be under way to load the machine as much. */
const REFRESH_CONNECTIONS = 200;

interface Session {
  accessToken: string;
  refreshToken: string;
}

const arena = await openArena(REFRESH_CONNECTIONS);
try {
  console.log(`${ROUNDS} rounds of ${SECONDS} s, ${availableParallelism()} cores, Node ${process.version}`);
  const sessions = await signInAll(arena);
  const results = [];
  for (const comparison of comparisons(arena, sessions)) results.push(await compare(comparison, ROUNDS));
  printResults(results);
  await compareWithHashAlone(arena);
} finally {
  await arena.stop();
}

async function signInAll({ emails, signIn }: Arena): Promise<Session[]> {
  const sessions: Session[] = [];
  for (const email of emails) sessions.push(await signIn(email));
  return sessions;
}

function comparisons(arena: Arena, sessions: Session[]): Comparison[] {
  const { serviceUrl, baselineUrl, floorIds } = arena;
  const timing = { connections: CONNECTIONS, seconds: SECONDS };
  const refreshTiming = { connections: REFRESH_CONNECTIONS, seconds: SECONDS };
  const bearer = { authorization: `Bearer ${sessions[0]?.accessToken ?? ''}` };
  return [
    {
      name: 'GET /auth/me',
      against: 'bare Express GET',
      goal: 0.75,
      subject: () => ({ url: `${serviceUrl}/auth/me`, headers: bearer, ...timing }),
      baseline: () => ({ url: `${baselineUrl}/bare`, ...timing }),
    },
    {
      name: 'GET /auth/me, one at a time',
      against: 'bare Express GET',
      subject: () => ({ url: `${serviceUrl}/auth/me`, headers: bearer, ...timing, connections: 1 }),
      baseline: () => ({ url: `${baselineUrl}/bare`, ...timing, connections: 1 }),
    },
    {
      name: 'POST /auth/refresh',
      against: 'one UPDATE and one signature on Express',
      goal: 0.9,
      subject: () => ({
        url: `${serviceUrl}/auth/refresh`,
        method: 'POST',
        ...refreshTiming,
        bodies: (connection) => refreshChain(sessions, connection),
      }),
      baseline: () => ({
        url: `${baselineUrl}/floor/refresh`,
        method: 'POST',
        ...refreshTiming,
        bodies: (connection) => () => JSON.stringify({ id: floorIds[connection] }),
      }),
    },
  ];
}

/** Each connection goes on with the token it was given; the sessions remember it for the next round. */
function refreshChain(sessions: Session[], connection: number): (answer: string | undefined) => string {
  const session = sessions[connection];
  if (!session) throw new Error('more connections than sessions');
  return (answer) => {
    if (answer !== undefined) {
      session.refreshToken = (JSON.parse(answer) as { data: Session }).data.refreshToken;
    }
    return JSON.stringify({ refreshToken: session.refreshToken });
  };
}

/** Sign-in and registration cost what the hash costs; the rest should not show. */
async function compareWithHashAlone({ serviceUrl, emails, password }: Arena): Promise<void> {
  const concurrency = 8;
  const logins: number[] = [];
  const registrations: number[] = [];
  let serial = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await hashesPerSecond(password, concurrency);
    const post = { method: 'POST' as const, connections: concurrency, seconds: SECONDS };
    const login = await drive({
      url: `${serviceUrl}/auth/login`,
      ...post,
      bodies: (connection) => () => JSON.stringify({ email: emails[connection], password }),
    });
    const registration = await drive({
      url: `${serviceUrl}/auth/register`,
      ...post,
      bodies: () => () =>
        JSON.stringify({ email: `new${round}-${serial++}@example.com`, password, fullName: 'New Person' }),
    });
    logins.push(login.perSecond / alone);
    registrations.push(registration.perSecond / alone);
  }
  console.log(`POST /auth/login against the hash alone: ${median(logins).toFixed(2)} (goal 0.95)`);
  console.log(`POST /auth/register against the hash alone: ${median(registrations).toFixed(2)}`);
}

async function hashesPerSecond(password: string, concurrency: number): Promise<number> {
  const hasher = await PasswordHasher.start({ memoryKib: 19456, iterations: 2, parallelism: 1 });
  const stored = await hasher.hash(password);
  const end = performance.now() + SECONDS * 1000;
  let count = 0;
  const lane = async (): Promise<void> => {
    for (; performance.now() < end; count++) await hasher.verify(stored, password);
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  await hasher.close();
  return count / SECONDS;
}
