import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { launchService, type ServiceProcess } from '../../test/support/service-process.js';
import { freePort } from '../../tools/shared/free-port.mjs';
import { canReadCpu, residentBytes } from '../support/cpu-time.js';
import type { BenchEnvironment } from '../support/environment.js';
import { figureOf, type Comparison, type Contestant, type Group } from '../support/group.js';
import { meterNoise } from '../support/meter.js';
import type { Sample } from '../support/sample.js';
import type { GroupSource } from './group-source.js';

const SERVICE = 'service';
const EMPTY = 'node -e 0';
const POLL_MS = 5;
const START_LIMIT_MS = 60_000;
const SETTLE_MS = 1000;
/** V8 returns the memory that the start needed when nothing has happened for some 8 seconds. */
const IDLE_MS = 15_000;
const RSS_INTERVAL_MS = 200;
const LOAD_CONNECTIONS = 50;

export const startup: GroupSource = {
  about: 'time of a start on an existing database, and memory of the service idle and under load',
  async open(environment) {
    const session = await environment.signInOne();
    const group: Group = {
      name: 'startup',
      title: `Start on an existing database; memory idle and with GET /auth/me on ${LOAD_CONNECTIONS} connections`,
      baseline: EMPTY,
      warmUpSeconds: 0,
      contestants: [started(environment, session.accessToken), emptyProcess],
      comparisons: COMPARISONS,
    };
    return Promise.resolve([group]);
  },
};

const absolute = (label: string, figure: string, unit: string): Comparison => ({
  label,
  against: '',
  unit,
  value: figureOf(SERVICE, figure),
});

const COMPARISONS: Comparison[] = [
  { ...absolute('start', 'startMs', 'ms'), goal: { atMost: 450 } },
  {
    label: 'start',
    against: 'an empty Node.js process',
    value: (round) => figureOf(SERVICE, 'startMs')(round) / figureOf(EMPTY, 'startMs')(round),
  },
  absolute('memory, a second after the start', 'startedMb', 'MB'),
  { ...absolute(`memory, idle for ${IDLE_MS / 1000} s`, 'idleMb', 'MB'), goal: { atMost: 120 } },
  { ...absolute('memory, under load', 'loadMb', 'MB'), goal: { atMost: 200 } },
];

function started(environment: BenchEnvironment, token: string): Contestant {
  return {
    name: SERVICE,
    run: (seconds) =>
      meterNoise(async () => {
        const PORT = String(await freePort());
        const begin = performance.now();
        const service = await launchService({
          built: true,
          env: { ...environment.settings, PORT, LOG_LEVEL: 'info' },
        });
        try {
          await ready(service);
          const startMs = performance.now() - begin;
          await sleep(SETTLE_MS);
          const startedMb = megabytes(service.pid);
          await sleep(IDLE_MS - SETTLE_MS);
          const idleMb = megabytes(service.pid);
          const loadMb = await memoryUnderLoad(environment, service, { token, seconds });
          return sampleOf(startMs, { startedMb, idleMb, loadMb });
        } finally {
          await service.stop();
        }
      }),
  };
}

const emptyProcess: Contestant = {
  name: EMPTY,
  run: () => {
    const begin = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    return Promise.resolve(sampleOf(performance.now() - begin, {}));
  },
};

const sampleOf = (startMs: number, figures: Record<string, number>): Sample => ({
  count: 1,
  perSecond: 1000 / startMs,
  figures: { startMs, ...figures },
});

async function ready(service: ServiceProcess): Promise<void> {
  const end = performance.now() + START_LIMIT_MS;
  while (!service.output().includes('is ready')) {
    if (performance.now() > end) throw new Error(`the service did not start: ${service.output()}`);
    await sleep(POLL_MS);
  }
}

/** Returns the largest memory of the service while it answers. */
async function memoryUnderLoad(
  { driver }: BenchEnvironment,
  { url, pid }: ServiceProcess,
  { token, seconds }: { token: string; seconds: number },
): Promise<number> {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, megabytes(pid));
  }, RSS_INTERVAL_MS);
  const headers = { authorization: `Bearer ${token}` };
  const load = {
    kind: 'closed',
    url: `${url}/auth/me`,
    headers,
    connections: LOAD_CONNECTIONS,
    seconds,
  } as const;
  await driver.drive(load).finally(() => clearInterval(timer));
  return most;
}

const megabytes = (pid: number): number => (canReadCpu ? residentBytes(pid) / 1e6 : NaN);
