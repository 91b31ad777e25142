import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceProcess } from '../../../test/support/service-process.js';
import { highestResidentBytes, residentBytes, resetHighestResidentBytes } from '../cpu-time.js';
import type { LoadDriver } from '../load-driver.js';
import type { LoadResult } from '../load.js';
import type { Figure } from './figure.js';
import type { ScaleTarget } from './scale-target.js';

const MOST = 100_000;
const PROBE = { kind: 'open', rate: 100, connections: 20 } as const;
const IDLE_SECONDS = 3;
const READING_SECONDS = 6;
const MB = 1024 * 1024;
const LONGEST_TURN_MS = 50;
const GROWTH_MB = 50;

/**
 * Measures what other clients notice while the members of the large company are read in one response, again and again: the
 * latency of a probe at a constant rate, delays of the event loop, and memory. The service is a fresh one.
 */
export async function largeListFigures(
  { environment, machineKey }: ScaleTarget,
  companyId: string,
): Promise<Figure[]> {
  const service = await environment.startService({});
  const probe = await environment.startLoadDriver();
  const headers = { 'x-internal-api-key': machineKey };
  const list = `${service.url}/internal/admin/companies/${companyId}/users?limit=${MOST}`;
  await probe.drive({ ...PROBE, url: `${service.url}/health`, seconds: 1 });
  await fetch(list.replace(String(MOST), '50'), { headers }).then((reply) => reply.arrayBuffer());
  const idle = await measure(service, probe, headers, () => sleep(IDLE_SECONDS * 1000));
  const times: number[] = [];
  const reading = await measure(service, probe, headers, async () => {
    const end = performance.now() + READING_SECONDS * 1000;
    while (performance.now() < end) times.push(await readAll(list, headers));
  });
  await Promise.all([probe.stop(), service.stop()]);
  return figuresOf({ idle, reading, times });
}

interface Measured {
  probe: LoadResult;
  /** Milliseconds. */
  longestDelay: number;
  before: number;
  peak: number;
  after: number;
}

async function measure(
  service: ServiceProcess,
  driver: LoadDriver,
  headers: Record<string, string>,
  work: () => Promise<unknown>,
): Promise<Measured> {
  const seconds = READING_SECONDS;
  const before = residentBytes(service.pid) / MB;
  resetHighestResidentBytes(service.pid);
  await longestDelayMs(service.url, headers);
  const [probe] = await Promise.all([
    driver.drive({ ...PROBE, url: `${service.url}/health`, seconds }),
    work(),
  ]);
  const longestDelay = await longestDelayMs(service.url, headers);
  const peak = highestResidentBytes(service.pid) / MB;
  await sleep(1000);
  return { probe, longestDelay, before, peak, after: residentBytes(service.pid) / MB };
}

/** Reads a response without keeping it; returns milliseconds. */
async function readAll(url: string, headers: Record<string, string>): Promise<number> {
  const started = performance.now();
  const reply = await fetch(url, { headers });
  if (!reply.ok) throw new Error(`${url}: status ${reply.status}`);
  await reply.body?.pipeTo(new WritableStream());
  return performance.now() - started;
}

/** Returns the longest delay of the event loop since the last call. */
async function longestDelayMs(url: string, headers: Record<string, string>): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  return Number(/^\S*eventloop_lag_max_seconds\S* (\S+)$/m.exec(text)?.[1] ?? NaN) * 1000;
}

function figuresOf(all: { idle: Measured; reading: Measured; times: number[] }): Figure[] {
  const { idle, reading, times } = all;
  const shortest = Math.min(...times);
  const list = 'all members of the large company in one response';
  return [
    { label: `${list}: best of ${times.length}`, unit: 'ms', value: shortest },
    probeFigure('probe, idle', idle),
    probeFigure(`probe while reading ${list}`, reading),
    {
      label: 'longest response to the probe meanwhile',
      unit: 'ms',
      value: reading.probe.latency.max,
      goal: { atMost: LONGEST_TURN_MS },
    },
    { label: 'longest delay of the event loop, idle', unit: 'ms', value: idle.longestDelay },
    {
      label: 'longest delay of the event loop meanwhile',
      unit: 'ms',
      value: reading.longestDelay,
      goal: { atMost: LONGEST_TURN_MS },
    },
    { label: 'memory before', unit: 'MB', value: reading.before },
    {
      label: 'growth of memory meanwhile',
      unit: 'MB',
      value: reading.peak - reading.before,
      goal: { atMost: GROWTH_MB },
    },
    { label: 'memory afterwards', unit: 'MB', value: reading.after },
  ];
}

const probeFigure = (label: string, { probe }: Measured): Figure => ({
  label,
  unit: 'ms',
  value: probe.latency.p50,
  p99: probe.latency.p99,
});
