import { setTimeout as sleep } from 'node:timers/promises';
import { PASSWORD, type BenchEnvironment } from '../support/environment.js';
import {
  figureOf,
  p50Ratio,
  p99Ratio,
  SIGN_IN_WARM_UP_SECONDS,
  type Contestant,
  type Group,
} from '../support/group.js';
import type { LoadDriver } from '../support/load-driver.js';
import type { ClosedLoad, OpenLoad } from '../support/load.js';
import { meterNoise } from '../support/meter.js';
import type { Sample } from '../support/sample.js';
import type { GroupSource } from './group-source.js';

const HASH_SERVER = new URL('../servers/hash-server.ts', import.meta.url);

/** Sign-ins at once, which keep every hashing thread busy. */
const STORM_CONNECTIONS = 8;
/** Reads per second. */
const PROBE_RATE = 100;
/** Long enough for four reads above the 99th percentile. */
export const STORM_LEAST_SECONDS = 4;
/** Time for the storm to fill the queue of the hashing threads. */
const LEAD_MS = 250;

export const STORM_TITLE = `${PROBE_RATE} reads a second, idle and during ${STORM_CONNECTIONS} sign-ins at once`;

/** Requests to one server: the reads that are measured, and the sign-ins that disturb them. */
export interface StormTarget {
  name: string;
  probe: Pick<OpenLoad, 'url' | 'headers' | 'variants'>;
  storm: Pick<ClosedLoad, 'url' | 'variants'>;
}

export const storm: GroupSource = {
  about: 'latency of reads at a fixed rate while sign-ins keep every core hashing',
  async open(environment, { seconds }) {
    const targets = [await service(environment), await minimum(environment)];
    const group: Group = {
      name: 'storm',
      title: STORM_TITLE,
      baseline: 'minimum, idle',
      warmUpSeconds: SIGN_IN_WARM_UP_SECONDS,
      contestants: await stormContestants(environment, targets),
      comparisons: COMPARISONS,
      seconds: Math.max(STORM_LEAST_SECONDS, seconds),
    };
    return [group];
  },
};

const SERVICE = ['service, storm', 'service, idle'] as const;
const MINIMUM = ['minimum, storm', 'minimum, idle'] as const;
const OF_MINIMUM = 'the same of Express with hashing threads';

const COMPARISONS: Group['comparisons'] = [
  { label: 'GET /auth/me in a storm: p50', against: 'idle', value: p50Ratio(SERVICE), goal: { atMost: 1.2 } },
  { label: 'GET /auth/me in a storm: p99', against: 'idle', value: p99Ratio(SERVICE) },
  {
    label: 'GET /auth/me in a storm: p99 against idle',
    against: OF_MINIMUM,
    value: (round) => p99Ratio(SERVICE)(round) / p99Ratio(MINIMUM)(round),
    goal: { atMost: 1.5 },
  },
  { label: 'Express with hashing threads: p50', against: 'idle', value: p50Ratio(MINIMUM) },
  { label: 'Express with hashing threads: p99', against: 'idle', value: p99Ratio(MINIMUM) },
  {
    label: 'sign-ins a second in the storm',
    against: 'hashes of Express with hashing threads',
    value: (round) =>
      figureOf('service, storm', 'stormPerSecond')(round) /
      figureOf('minimum, storm', 'stormPerSecond')(round),
  },
];

async function service(environment: BenchEnvironment): Promise<StormTarget> {
  const [session] = await environment.signIn(1);
  const { url } = environment.service;
  return {
    name: 'service',
    probe: { url: `${url}/auth/me`, headers: { authorization: `Bearer ${session?.accessToken ?? ''}` } },
    storm: {
      url: `${url}/auth/login`,
      variants: environment.emails.map((email) => ({ body: JSON.stringify({ email, password: PASSWORD }) })),
    },
  };
}

async function minimum(environment: BenchEnvironment): Promise<StormTarget> {
  const { url } = await environment.startChild(HASH_SERVER, { env: {} });
  return {
    name: 'minimum',
    probe: { url: `${url}/bare` },
    storm: { url: `${url}/hash`, variants: [{ body: JSON.stringify({ password: PASSWORD }) }] },
  };
}

/** Returns two contestants for each target: `<name>, idle` and `<name>, storm`. */
export async function stormContestants(
  environment: BenchEnvironment,
  targets: readonly StormTarget[],
): Promise<Contestant[]> {
  const drivers = { probe: environment.driver, storm: await environment.startLoadDriver() };
  return targets.flatMap((target) => [
    contestant(drivers, target, 'idle'),
    contestant(drivers, target, 'storm'),
  ]);
}

interface Drivers {
  probe: LoadDriver;
  storm: LoadDriver;
}

function contestant(drivers: Drivers, target: StormTarget, state: 'idle' | 'storm'): Contestant {
  const work = state === 'idle' ? probe : stormAndProbe;
  return {
    name: `${target.name}, ${state}`,
    // CPU time per read would say nothing: the storm takes nearly all of it.
    run: (seconds) => meterNoise(() => work(drivers, target, seconds)),
  };
}

const probe = (drivers: Drivers, target: StormTarget, seconds: number): Promise<Sample> =>
  drivers.probe.drive({ kind: 'open', ...target.probe, rate: PROBE_RATE, connections: 50, seconds });

async function stormAndProbe(drivers: Drivers, target: StormTarget, seconds: number): Promise<Sample> {
  const signIns = drivers.storm.drive({
    kind: 'closed',
    ...target.storm,
    method: 'POST',
    connections: STORM_CONNECTIONS,
    // On a machine that is busy otherwise, the service rejects sign-ins that wait too long.
    expect: [200, 503],
    seconds: seconds + (2 * LEAD_MS) / 1000,
  });
  await sleep(LEAD_MS);
  const [sample, { perSecond, statuses, count }] = await Promise.all([
    probe(drivers, target, seconds),
    signIns,
  ]);
  return { ...sample, figures: { stormPerSecond: (perSecond * (statuses[200] ?? 0)) / count } };
}
