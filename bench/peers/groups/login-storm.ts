import { STORM_LEAST_SECONDS, STORM_TITLE, stormContestants, type StormTarget } from '../../groups/storm.js';
import { PASSWORD } from '../../support/environment.js';
import {
  figureOf,
  p50Ratio,
  p99Ratio,
  SIGN_IN_WARM_UP_SECONDS,
  type Comparison,
} from '../../support/group.js';
import type { BetterAuthVariant, PeerRun } from '../peer-run.js';
import { betterAuthReaders, latchkeyReaders } from '../session-readers.js';
import { signInRequests } from '../sign-in-requests.js';
import type { PeerSource } from './peer-source.js';

const LATCHKEY = 'Latchkey';
const SAME_HASH = 'better-auth, Argon2';
const AS_SHIPPED = 'better-auth, scrypt';

export const loginStorm: PeerSource = {
  about: 'latency of session reads while users sign in, for each server compared with its own when idle',
  async open(run, { seconds }) {
    const targets = [
      await latchkeyTarget(run),
      await betterAuthTarget(run, SAME_HASH, 'database'),
      await betterAuthTarget(run, AS_SHIPPED, 'scrypt'),
    ];
    return [
      {
        name: 'storm',
        title: STORM_TITLE,
        contestants: await stormContestants(run.environment, targets),
        baseline: `${SAME_HASH}, idle`,
        warmUpSeconds: SIGN_IN_WARM_UP_SECONDS,
        comparisons: [...targets.flatMap(({ name }) => slowdown(name)), ...COMPARISONS],
        seconds: Math.max(STORM_LEAST_SECONDS, seconds),
      },
    ];
  },
};

function slowdown(name: string): Comparison[] {
  const pair = [`${name}, storm`, `${name}, idle`] as const;
  const goal = name === LATCHKEY ? { goal: { atMost: 1.2 } } : {};
  return [
    { label: `${name} in a storm: p50`, against: 'idle', value: p50Ratio(pair), ...goal },
    { label: `${name} in a storm: p99`, against: 'idle', value: p99Ratio(pair) },
  ];
}

const COMPARISONS: Comparison[] = [SAME_HASH, AS_SHIPPED].flatMap((peer) => {
  const pair = [`${LATCHKEY}, storm`, `${peer}, storm`] as const;
  return [
    { label: 'p99 of reads in the storm', against: peer, value: p99Ratio(pair) },
    {
      label: 'sign-ins a second in the storm',
      against: peer,
      value: (round) =>
        figureOf(pair[0], 'stormPerSecond')(round) / figureOf(pair[1], 'stormPerSecond')(round),
    },
  ];
});

async function latchkeyTarget({ latchkey, environment }: PeerRun): Promise<StormTarget> {
  const { emails } = environment;
  const { url, requests } = await latchkeyReaders(latchkey, emails);
  return {
    name: LATCHKEY,
    probe: { url, variants: await requests() },
    storm: { url: `${latchkey.url}/auth/login`, variants: signInRequests(emails, PASSWORD) },
  };
}

async function betterAuthTarget(
  run: PeerRun,
  name: string,
  variant: BetterAuthVariant,
): Promise<StormTarget> {
  const { emails } = run.environment;
  const server = await run.betterAuth(variant);
  const { url, requests } = await betterAuthReaders(server, emails);
  return {
    name,
    probe: { url, variants: await requests() },
    storm: {
      url: `${server.url}/api/auth/sign-in/email`,
      variants: signInRequests(emails, PASSWORD, server.headers),
    },
  };
}
