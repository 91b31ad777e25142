import { parseArgs } from 'node:util';
import { UsageError } from '../shared/usage-error.js';

const NEEDS = `Needs Debian or Ubuntu with etcd, Patroni, PgBouncer, HAProxy, Redis and PostgreSQL. Missing packages are installed with
apt-get if you are root or sudo asks for no password; their services are not started. Everything listens on free ports
of the loopback address and keeps its data in a temporary folder, which is deleted at the end.`;

export const CLUSTER_HELP = `npm run cluster

Starts a whole installation on this machine: three PostgreSQL under Patroni with three etcd, two PgBouncer before the
primary, a Redis Cluster of three masters, and three replicas of the built service behind HAProxy. It prints what listens
where and how to sign in, and runs until Ctrl+C.

${NEEDS}`;

export const CHAOS_HELP = `npm run cluster:chaos -- [options]

Starts the cluster of "npm run cluster", puts users on it, and kills, pauses and partitions its parts at random, one or two
at a time. Then it heals everything, waits until all replicas are ready, and checks from the journals of the users:

  - every write that was acknowledged is in the database
  - no session was accepted after its end had been acknowledged
  - no refresh token has two different successors
  - every user is signed in at the end, or was given the right reason

It exits with 1 if a check fails. Repeat a run with the seed that it prints: the faults are the same, their timing relative
to the requests is not.

Options
  --minutes N        how long faults are injected, from 0.2 to 120, default 10
  --quiet-seconds N  pause between two faults, from 0 to 60, default 5
  --users N          users at once, from 1 to 100, default 10
  --seed N           seed of the faults and the users, default a random one
  --keep-logs FOLDER copies the logs of all parts and the journal of faults there

${NEEDS}`;

export interface ChaosOptions {
  minutes: number;
  quietSeconds: number;
  users: number;
  seed: number;
  keepLogs: string | undefined;
}

/** Reads the options of `npm run cluster`. Returns the help if it was asked for. @throws UsageError. */
export function readClusterOptions(args: readonly string[]): string | undefined {
  const { help } = reported(() => parseArgs({ args: [...args], options: { help: HELP } }).values);
  return help === true ? CLUSTER_HELP : undefined;
}

/** Reads the options of `npm run cluster:chaos`. Returns the help if it was asked for. @throws UsageError. */
export function readChaosOptions(args: readonly string[], randomSeed: number): ChaosOptions | string {
  const options = {
    minutes: TEXT,
    'quiet-seconds': TEXT,
    users: TEXT,
    seed: TEXT,
    'keep-logs': TEXT,
    help: HELP,
  };
  const values = reported(() => parseArgs({ args: [...args], options }).values);
  if (values.help === true) return CHAOS_HELP;
  return {
    minutes: numberIn('--minutes', values.minutes ?? '10', [0.2, 120]),
    quietSeconds: numberIn('--quiet-seconds', values['quiet-seconds'] ?? '5', [0, 60]),
    users: Math.round(numberIn('--users', values.users ?? '10', [1, 100])),
    seed: Math.round(numberIn('--seed', values.seed ?? String(randomSeed), [0, 2 ** 32 - 1])),
    keepLogs: values['keep-logs'],
  };
}

const TEXT = { type: 'string' } as const;
const HELP = { type: 'boolean', short: 'h' } as const;

function reported<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${message}. Use --help for the options.`);
  }
}

function numberIn(name: string, text: string, [least, most]: readonly [number, number]): number {
  const value = Number(text);
  if (text === '' || !(value >= least && value <= most)) {
    throw new UsageError(`${name}: ${text} is not a number from ${least} to ${most}.`);
  }
  return value;
}
