import { cpuRatio, throughputRatio, type Comparison, type Contestant, type Group } from '../support/group.js';
import type { LoadDriver } from '../support/load-driver.js';
import type { ClosedLoad } from '../support/load.js';
import { meterLoad, type MeteredProcesses } from '../support/meter.js';

/** A GET request that contestants answer on the same number of connections. */
export interface Reader {
  name: string;
  url: string;
  headers?: Record<string, string>;
  processes: MeteredProcesses;
}

/** Returns a contestant that sends the same GET request again and again. */
export function readContestant(
  driver: LoadDriver,
  { name, url, headers = {}, processes }: Reader,
  connections: number,
): Contestant {
  const load = (seconds: number): ClosedLoad => ({ kind: 'closed', url, headers, connections, seconds });
  return { name, run: (seconds) => meterLoad(driver, processes, load(seconds)) };
}

/** Returns throughput and CPU time of the subject in comparison with the baseline. */
export function readComparisons(label: string, pair: readonly [string, string], goal?: number): Comparison[] {
  return [
    {
      label,
      against: pair[1],
      value: throughputRatio(pair),
      ...(goal !== undefined && { goal: { atLeast: goal } }),
    },
    { label: `${label}: CPU per request`, against: pair[1], value: cpuRatio(pair) },
  ];
}

/** Returns the response of a request, for a server that sends the same. @throws Error unless its status is 200. */
export async function replyOf(url: string, headers: Record<string, string>): Promise<string> {
  const reply = await fetch(url, { headers });
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`${url} failed with status ${reply.status}: ${text}`);
  return text;
}

/** Returns a group of one subject and one baseline. */
export function readGroup(
  driver: LoadDriver,
  readers: { subject: Reader; baseline: Reader },
  group: Pick<Group, 'name' | 'title'> & { connections: number; goal?: number },
): Group {
  const { subject, baseline } = readers;
  const { connections, goal, name, title } = group;
  return {
    name,
    title,
    baseline: baseline.name,
    contestants: [subject, baseline].map((reader) => readContestant(driver, reader, connections)),
    comparisons: readComparisons(subject.name, [subject.name, baseline.name], goal),
  };
}
