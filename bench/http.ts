import { availableParallelism } from 'node:os';
import { unobserved } from '../packages/core/src/kernel/observer.js';
import { PasswordHasher } from '../packages/core/src/passwords/password-hasher.js';
import { compare, median, printResults, type Comparison } from './support/comparison.js';
import { openEnvironment, type BenchEnvironment } from './support/environment.js';
import { drive } from './support/load.js';

// Measures registration, sign-in, token refresh and /auth/me against a baseline in the same run and prints ratios.
// Absolute figures depend on the machine and its load; ratios are comparable between machines.
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const CONNECTIONS = 50;
/** A refresh waits deliberately, so the same load needs more concurrent requests. */
const REFRESH_CONNECTIONS = 200;

interface Session {
  accessToken: string;
  refreshToken: string;
}

const environment = await openEnvironment(REFRESH_CONNECTIONS);
try {
  console.log(`${ROUNDS} rounds of ${SECONDS} s, ${availableParallelism()} cores, Node ${process.version}`);
  const sessions = await signInAll(environment);
  const results = [];
  for (const comparison of comparisons(environment, sessions))
    results.push(await compare(comparison, ROUNDS));
  printResults(results);
  await compareWithHashAlone(environment);
} finally {
  await environment.stop();
}

async function signInAll({ emails, signIn }: BenchEnvironment): Promise<Session[]> {
  const sessions: Session[] = [];
  for (const email of emails) sessions.push(await signIn(email));
  return sessions;
}

function comparisons(environment: BenchEnvironment, sessions: Session[]): Comparison[] {
  const { serviceUrl, baselineUrl, baselineRowIds } = environment;
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
        url: `${baselineUrl}/refresh`,
        method: 'POST',
        ...refreshTiming,
        bodies: (connection) => () => JSON.stringify({ id: baselineRowIds[connection] }),
      }),
    },
  ];
}

/** Returns the bodies of one connection. Each sends the token of the previous response; the session keeps the last one. */
function refreshChain(sessions: Session[], connection: number): (response: string | undefined) => string {
  const session = sessions[connection];
  if (!session) throw new Error('more connections than sessions');
  return (response) => {
    if (response !== undefined) {
      session.refreshToken = (JSON.parse(response) as { data: Session }).data.refreshToken;
    }
    return JSON.stringify({ refreshToken: session.refreshToken });
  };
}

/** Compares sign-in and registration with the password hash alone, which should be nearly all of their cost. */
async function compareWithHashAlone({ serviceUrl, emails, password }: BenchEnvironment): Promise<void> {
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
  console.log(`POST /auth/login compared with the hash alone: ${median(logins).toFixed(2)} (goal 0.95)`);
  console.log(`POST /auth/register compared with the hash alone: ${median(registrations).toFixed(2)}`);
}

async function hashesPerSecond(password: string, concurrency: number): Promise<number> {
  const hasher = await PasswordHasher.start({
    memoryKib: 19456,
    iterations: 2,
    parallelism: 1,
    observer: unobserved,
  });
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
