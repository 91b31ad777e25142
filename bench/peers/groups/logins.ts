import { availableParallelism } from 'node:os';
import { PASSWORD } from '../../support/environment.js';
import {
  cpuRatio,
  SIGN_IN_WARM_UP_SECONDS,
  throughputRatio,
  type Contestant,
  type Goal,
} from '../../support/group.js';
import type { HashDriver } from '../../support/hash-driver.js';
import { meter, meterLoad } from '../../support/meter.js';
import type { PeerRun } from '../peer-run.js';
import { signInRequests } from '../sign-in-requests.js';
import type { PeerSource } from './peer-source.js';

const LATCHKEY = 'Latchkey';
const SAME_HASH = 'better-auth, Argon2';
const AS_SHIPPED = 'better-auth, scrypt';

/** A sign-in that costs no more than its hash: the most that a library could reach. */
const HASH = 'the hash alone';
/** Enough to keep every hashing thread busy. */
const HASHES_AT_ONCE = 8;

const GOALS: [name: string, goal: Goal][] = [
  [SAME_HASH, { atLeast: 1.4 }],
  [AS_SHIPPED, { atLeast: 8 }],
];

/** Seconds of a round: on 50 connections, a sign-in with scrypt waits for two to six. */
const SECONDS = 8;

interface SignIn {
  name: string;
  pid: number;
  url: string;
  headers?: Record<string, string>;
}

export const logins: PeerSource = {
  about: 'sign-in with a password compared with better-auth, with the same hash and as shipped',
  async open(run, { connections }) {
    const { pid, url } = run.latchkey;
    const signIns: SignIn[] = [
      { name: LATCHKEY, pid, url: `${url}/auth/login` },
      await betterAuthSignIn(run, SAME_HASH, 'database'),
      await betterAuthSignIn(run, AS_SHIPPED, 'scrypt'),
    ];
    const hashes = await run.environment.startHashDriver(availableParallelism());
    return connections.map((count) => ({
      name: `login, ${count}`,
      title: `Sign-in with a password, ${count} connections`,
      contestants: [...signIns.map((signIn) => contestant(run, signIn, count)), hashAlone(hashes)],
      baseline: SAME_HASH,
      warmUpSeconds: SIGN_IN_WARM_UP_SECONDS,
      comparisons: GOALS.flatMap(([against, goal]) => [
        { label: 'POST /auth/login', against, value: throughputRatio([LATCHKEY, against]), goal },
        { label: 'POST /auth/login: CPU per request', against, value: cpuRatio([LATCHKEY, against]) },
        { label: HASH, against, value: throughputRatio([HASH, against]) },
      ]),
      seconds: SECONDS,
    }));
  },
};

async function betterAuthSignIn(run: PeerRun, name: string, variant: 'database' | 'scrypt'): Promise<SignIn> {
  const { pid, url, headers } = await run.betterAuth(variant);
  return { name, pid, url: `${url}/api/auth/sign-in/email`, headers };
}

function contestant(
  { environment }: PeerRun,
  { name, pid, url, headers = {} }: SignIn,
  connections: number,
): Contestant {
  const { driver, emails } = environment;
  const variants = signInRequests(emails, PASSWORD, headers);
  return {
    name,
    run: (seconds) =>
      meterLoad(driver, environment.withPostgres(pid), {
        kind: 'closed',
        method: 'POST',
        url,
        variants,
        connections,
        seconds,
      }),
  };
}

const hashAlone = (hashes: HashDriver): Contestant => ({
  name: HASH,
  run: (seconds) =>
    meter({ server: hashes.pid }, () => hashes.drive({ seconds, concurrency: HASHES_AT_ONCE })),
});
