import type { BenchEnvironment, SignIn } from '../support/environment.js';
import { cpuRatio, throughputRatio, type Comparison, type Contestant, type Group } from '../support/group.js';
import type { LoadDriver } from '../support/load-driver.js';
import type { ClosedLoad } from '../support/load.js';
import { meterLoad, type MeteredProcesses } from '../support/meter.js';

/** Name of the reader that `minimalReader` starts. */
export const MINIMAL_READ = 'Express and one row read by its key';
const MINIMAL_READ_SERVER = new URL('../servers/minimal-read-server.ts', import.meta.url);

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

/** Starts the least that a route does which must not accept a revoked session: Express, and one row read by its key. */
export async function minimalReader(
  environment: BenchEnvironment,
  { accessToken }: SignIn,
  body: string,
): Promise<Reader> {
  const { url, pid } = await environment.startChild(MINIMAL_READ_SERVER, {
    env: { DATABASE_URL: environment.postgres.url, BODY: body },
  });
  const [, claims = ''] = accessToken.split('.');
  const { sid } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sid: string };
  return {
    name: MINIMAL_READ,
    url: `${url}/read`,
    headers: { 'x-session-id': sid },
    processes: environment.withPostgres(pid),
  };
}

export interface GroupReaders {
  subject: Reader;
  baseline: Reader;
  /** What the subject could reach: it is compared with the baseline, too, and the subject with it. */
  limit?: Reader;
}

/** Returns a group of one subject and one baseline. */
export function readGroup(
  driver: LoadDriver,
  { subject, baseline, limit }: GroupReaders,
  group: Pick<Group, 'name' | 'title'> & { connections: number; goal?: number },
): Group {
  const { connections, goal, name, title } = group;
  const readers = [subject, baseline, ...(limit ? [limit] : [])];
  return {
    name,
    title,
    baseline: baseline.name,
    contestants: readers.map((reader) => readContestant(driver, reader, connections)),
    comparisons: [
      ...readComparisons(subject.name, [subject.name, baseline.name], goal),
      ...(limit ? limitComparisons(subject.name, limit.name, baseline.name) : []),
    ],
  };
}

/** Returns the limit in comparison with the baseline, and the subject in comparison with the limit. */
export const limitComparisons = (subject: string, limit: string, baseline: string): Comparison[] => [
  { label: limit, against: baseline, value: throughputRatio([limit, baseline]) },
  ...readComparisons(subject, [subject, limit]),
];
