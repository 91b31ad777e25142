import { availableParallelism } from 'node:os';
import { PASSWORD, type BenchEnvironment } from '../support/environment.js';
import { cpuRatio, SIGN_IN_WARM_UP_SECONDS, throughputRatio, type Contestant } from '../support/group.js';
import type { ClosedLoad } from '../support/load.js';
import { meter, meterLoad } from '../support/meter.js';
import { createMinimalTables } from '../support/seed.js';
import type { GroupSource } from './group-source.js';
import { limitComparisons } from './reads.js';

/** Enough to keep every hashing thread busy. */
const CONNECTIONS = 8;
const LOGIN = 'POST /auth/login';
const REGISTER = 'POST /auth/register';
const HASH = 'the hash alone';
const MINIMAL_LOGIN = 'the least sign-in on Express';
const MINIMAL_REGISTER = 'the least registration on Express';
const MINIMAL_SERVER = new URL('../servers/minimal-password-server.ts', import.meta.url);

/** Sign-in and registration while every core hashes. */
export const passwords: GroupSource = {
  about: 'sign-in and registration compared with the password hash alone, on every core',
  async open(environment) {
    const { service } = environment;
    const threads = availableParallelism();
    const minimal = await startMinimal(environment, threads);
    return [
      {
        name: 'passwords',
        title: `Sign-in and registration, ${threads} hashing threads, ${CONNECTIONS} connections`,
        baseline: HASH,
        warmUpSeconds: SIGN_IN_WARM_UP_SECONDS,
        contestants: [
          login(environment, service),
          register(environment, service),
          await hashAlone(environment, threads),
          minimalLogin(environment, minimal),
          minimalRegister(environment, minimal),
        ],
        comparisons: [
          { label: LOGIN, against: HASH, value: throughputRatio([LOGIN, HASH]), goal: { atLeast: 0.8 } },
          {
            label: REGISTER,
            against: HASH,
            value: throughputRatio([REGISTER, HASH]),
            goal: { atLeast: 0.75 },
          },
          { label: `${LOGIN}: CPU`, against: HASH, value: cpuRatio([LOGIN, HASH]) },
          { label: `${REGISTER}: CPU`, against: HASH, value: cpuRatio([REGISTER, HASH]) },
          ...limitComparisons(LOGIN, MINIMAL_LOGIN, HASH),
          ...limitComparisons(REGISTER, MINIMAL_REGISTER, HASH),
        ],
      },
    ];
  },
};

/** Sign-in while one core does everything but hashing. */
export const spareCore: GroupSource = {
  about: 'sign-in compared with the password hash alone, with one core free of hashing',
  async open(environment) {
    const threads = Math.max(1, availableParallelism() - 1);
    const service = await environment.startService({ HASHING_THREADS: String(threads) });
    return [
      {
        name: 'spare-core',
        title: `Sign-in with one core spare, ${threads} hashing threads, ${CONNECTIONS} connections`,
        baseline: HASH,
        warmUpSeconds: SIGN_IN_WARM_UP_SECONDS,
        contestants: [
          login(environment, service),
          await hashAlone(environment, threads),
          minimalLogin(environment, await startMinimal(environment, threads)),
        ],
        comparisons: [
          { label: LOGIN, against: HASH, value: throughputRatio([LOGIN, HASH]), goal: { atLeast: 0.95 } },
          { label: `${LOGIN}: CPU`, against: HASH, value: cpuRatio([LOGIN, HASH]) },
          ...limitComparisons(LOGIN, MINIMAL_LOGIN, HASH),
        ],
      },
    ];
  },
};

interface Service {
  url: string;
  pid: number;
}

const login = (environment: BenchEnvironment, service: Service): Contestant =>
  post(environment, service, { name: LOGIN, path: '/auth/login', bodies: signIns(environment) });

const register = (environment: BenchEnvironment, service: Service): Contestant =>
  post(environment, service, { name: REGISTER, path: '/auth/register', bodies: REGISTRATIONS });

/** A sign-in without limits, audit log and list of sessions, of the same users. */
const minimalLogin = (environment: BenchEnvironment, server: Service): Contestant =>
  post(environment, server, { name: MINIMAL_LOGIN, path: '/sign-in', bodies: signIns(environment) });

/** A registration without limits, audit log, mail and judgement of the password. */
const minimalRegister = (environment: BenchEnvironment, server: Service): Contestant =>
  post(environment, server, { name: MINIMAL_REGISTER, path: '/register', bodies: REGISTRATIONS });

const signIns = ({ emails }: BenchEnvironment): object[] =>
  emails.map((email) => ({ email, password: PASSWORD }));

const REGISTRATIONS = [{ email: 'new-{unique}@example.com', password: PASSWORD, fullName: 'New Person' }];

async function startMinimal(environment: BenchEnvironment, threads: number): Promise<Service> {
  await environment.sql(createMinimalTables);
  return environment.startChild(MINIMAL_SERVER, {
    env: { DATABASE_URL: environment.postgres.url, HASHING_THREADS: String(threads) },
  });
}

interface Post {
  name: string;
  path: string;
  bodies: readonly object[];
}

function post(
  environment: BenchEnvironment,
  { url, pid }: Service,
  { name, path, bodies }: Post,
): Contestant {
  const load = (seconds: number): ClosedLoad => ({
    kind: 'closed',
    url: `${url}${path}`,
    method: 'POST',
    variants: bodies.map((body) => ({ body: JSON.stringify(body) })),
    connections: CONNECTIONS,
    seconds,
  });
  return {
    name,
    run: (seconds) => meterLoad(environment.driver, environment.withPostgres(pid), load(seconds)),
  };
}

async function hashAlone(environment: BenchEnvironment, threads: number): Promise<Contestant> {
  const hashes = await environment.startHashDriver(threads);
  return {
    name: HASH,
    run: (seconds) =>
      meter({ server: hashes.pid }, () => hashes.drive({ seconds, concurrency: CONNECTIONS })),
  };
}
