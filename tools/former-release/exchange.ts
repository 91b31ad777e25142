import { setTimeout as sleep } from 'node:timers/promises';
import { INTERNAL_KEY, startEnvironment } from './environment.js';
import { startReplica, type Replica, type Version } from './replica.js';
import { Rotation } from './rotation.js';
import { UserLoad } from './user-load.js';

export interface ExchangeOptions {
  former: Version;
  current: Version;
  users: number;
  /** Milliseconds of load between two changes. */
  pauseMs: number;
  report: (line: string) => void;
}

export interface ExchangeResult {
  requests: number;
  failures: string[];
  lostSessions: number;
}

/**
 * Runs two replicas of the former version under load, replaces them one by one by this version, which migrates the
 * database, and goes back to the former version on the newer schema.
 */
export async function exchangeVersions(options: ExchangeOptions): Promise<ExchangeResult> {
  const { former, current, users, report } = options;
  const environment = await startEnvironment();
  const rotation = new Rotation();
  const running: Replica[] = [];
  const state = { isDone: false };
  const start = async (version: Version): Promise<void> => {
    const replica = await startReplica(version, environment.settings);
    running.push(replica);
    rotation.add(replica);
  };
  const replaceAll = async (version: Version): Promise<void> => {
    for (const replica of running.splice(0)) {
      await start(version);
      await rotation.retire(replica);
      await sleep(options.pauseMs);
    }
    report(`   all replicas are of the ${version.name} version: ${rotation.requests} requests so far`);
  };
  try {
    // The first start creates the schema with the files of its own version.
    await start({ ...former, settings: {} });
    await start({ ...former, settings: {} });
    const loads = Array.from({ length: users }, (_, n) => new UserLoad(rotation, `user-${n}@example.com`));
    for (const load of loads) await load.begin(INTERNAL_KEY);
    const workers = loads.map((load) => repeat(load, state));
    await sleep(options.pauseMs);
    await replaceAll(current);
    await replaceAll(former);
    await replaceAll(current);
    state.isDone = true;
    await Promise.all(workers);
    const kept = await Promise.all(loads.map((load) => load.read()));
    return {
      requests: rotation.requests,
      failures: rotation.failures,
      lostSessions: kept.filter((isKept) => !isKept).length,
    };
  } finally {
    state.isDone = true;
    await Promise.all(running.map((replica) => replica.stop()));
    await environment.stop();
  }
}

/** Each tenth step is a sign-in, which costs as much as all others together. */
async function repeat(load: UserLoad, state: { readonly isDone: boolean }): Promise<void> {
  for (let step = 1; !state.isDone; step++) {
    await (step % 10 === 0 ? load.signIn() : load.step());
    await sleep(20);
  }
}
