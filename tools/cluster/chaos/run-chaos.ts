import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosOptions } from '../cluster-options.js';
import { ADMIN, type Cluster } from '../cluster.js';
import { isReady } from '../replicas.js';
import { Administrator } from './administrator.js';
import { Api } from './api.js';
import type { CheckResult } from './check-result.js';
import { checkHistory } from './checks.js';
import { planFaults } from './fault-plan.js';
import { injectFaults } from './inject.js';
import { Journal } from './journal.js';
import { Probe } from './probe.js';
import { Random } from './random.js';
import { readStoredState } from './stored-state.js';
import type { RunResult } from './summary.js';
import { faultTargets } from './targets.js';
import { VirtualUser } from './virtual-user.js';

/** How long the cluster may need to be whole again after the last fault was healed. */
const HEALING_SECONDS = 120;
/** Load without faults at the end, as long as at most one lease. */
const CALM_MS = 5_000;

/** Puts users on the cluster, injects faults, heals it, and checks what the users saw. */
export async function runChaos(
  cluster: Cluster,
  options: ChaosOptions,
  { stop, report }: { stop: AbortSignal; report: (line: string) => void },
): Promise<RunResult> {
  const start = performance.now();
  const now = () => performance.now() - start;
  const journal = new Journal();
  const probe = new Probe();
  const api = new Api(cluster.url);
  let isOver = false;
  const users = createUsers(options, { api, journal, now });
  const load = users.map((user) => user.run(() => isOver || stop.aborted));
  const probing = probe.run(api, {
    userId: await cluster.createUser({ email: 'probe@example.com', fullName: 'Probe' }),
    key: cluster.internalKey,
    now,
    isOver: () => isOver || stop.aborted,
  });
  const targets = faultTargets(cluster);
  const plan = { totalMs: options.minutes * 60_000, quietMs: options.quietSeconds * 1000 };
  const planned = planFaults({ seed: options.seed, ...plan, sources: targets });
  const faults = await injectFaults({ faults: planned, targets, now, stop, report });
  report('   all faults are over: waiting until all replicas are ready');
  const healed = await waitUntilHealed(cluster, stop);
  await sleep(CALM_MS);
  isOver = true;
  await Promise.all([...load, probing]);
  const settled = await settleUsers(users, stop);
  const checks = [healed, settled, ...checkHistory(journal.attempts, await readStoredState(cluster))];
  api.close();
  return { faults, attempts: journal.attempts, probes: probe.results, checks };
}

function createUsers(
  { users, seed }: ChaosOptions,
  shared: { api: Api; journal: Journal; now: () => number },
): VirtualUser[] {
  const administrator = new Administrator(shared.api, ADMIN);
  return Array.from(
    { length: users },
    (_, index) =>
      new VirtualUser({
        ...shared,
        name: `user-${index}`,
        administrator,
        random: new Random(seed + index + 1),
      }),
  );
}

async function waitUntilHealed(cluster: Cluster, stop: AbortSignal): Promise<CheckResult> {
  const { replicas } = cluster.parts;
  const start = performance.now();
  const isLate = () => performance.now() - start > HEALING_SECONDS * 1000;
  let unready = replicas.map(({ name }) => name);
  while (unready.length > 0 && !isLate() && !stop.aborted) {
    const states = await Promise.all(replicas.map(({ url }) => isReady(url)));
    unready = replicas.filter((_, index) => states[index] !== true).map(({ name }) => name);
    if (unready.length > 0) await sleep(500);
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const failures = unready.map((name) => `${name} is not ready`);
  return {
    title: `all replicas are ready ${seconds} s after the last fault`,
    count: replicas.length,
    failures,
  };
}

async function settleUsers(users: readonly VirtualUser[], stop: AbortSignal): Promise<CheckResult> {
  const end = performance.now() + HEALING_SECONDS * 1000;
  const isOver = () => stop.aborted || performance.now() > end;
  const settled = await Promise.all(users.map((user) => user.settle(isOver)));
  const failures = settled.flatMap((isSignedIn, index) =>
    isSignedIn ? [] : [`user-${index} is not signed in`],
  );
  return { title: 'every user is signed in at the end', count: users.length, failures };
}
