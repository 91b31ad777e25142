import type { LoadResult } from '../load.js';
import { meterLoad } from '../meter.js';
import { cpuOf, type Sample } from '../sample.js';
import type { Figure } from './figure.js';
import type { ListRequest } from './list-requests.js';
import type { ScaleTarget } from './scale-target.js';

const SECONDS = 0.5;
const FIRST_PAGE_MS = 20;
const STATISTICS_MS = 50;

/** Measures lists and counts on one connection, after a request that warms them up. */
export async function listFigures(
  { environment, service }: ScaleTarget,
  requests: readonly ListRequest[],
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { label, path, headers, kind } of requests) {
    const url = `${service.url}${path}`;
    const failure = await failureOf(url, headers);
    const named = { label: `GET ${label}`, unit: 'ms' as const, ...goalOf(kind) };
    if (failure !== undefined) {
      figures.push({ ...named, value: NaN, failure });
      continue;
    }
    const load = { kind: 'closed', url, headers, connections: 1, seconds: SECONDS } as const;
    const sample = await meterLoad(environment.driver, environment.withPostgres(service.pid), load);
    figures.push({ ...named, ...valuesOf(sample) });
  }
  return figures;
}

const valuesOf = (sample: Sample & LoadResult): Pick<Figure, 'value' | 'p99' | 'cpuMs' | 'otherCpu'> => ({
  value: sample.latency.p50,
  p99: sample.latency.p99,
  ...(sample.serverCpuUs !== undefined && { cpuMs: cpuOf(sample) / 1000 }),
  ...(sample.otherCpu !== undefined && { otherCpu: sample.otherCpu }),
});

function goalOf(kind: ListRequest['kind']): Pick<Figure, 'goal'> {
  if (kind === 'deep') return {};
  return { goal: { atMost: kind === 'count' ? STATISTICS_MS : FIRST_PAGE_MS } };
}

/** Returns the failure of a request, such as the timeout of a statement. */
async function failureOf(url: string, headers: Record<string, string>): Promise<string | undefined> {
  const started = performance.now();
  const reply = await fetch(url, { headers });
  await reply.arrayBuffer();
  return reply.ok ? undefined : `${reply.status} after ${Math.round(performance.now() - started)} ms`;
}
