import { Client } from 'undici';
import { LatencyHistogram } from './latency-histogram.js';
import type { ClosedLoad, Percentiles } from './load.js';
import { acceptedStatuses, ReplyHandler, StatusCounts } from './reply-handler.js';
import { requestSource } from './request-source.js';

export interface ClosedOutcome {
  count: number;
  perSecond: number;
  statuses: Record<number, number>;
  latency: Percentiles;
  chain?: string[];
}

/** Timers of single requests cost time; the driver watches over the whole load. */
const CLIENT_OPTIONS = {
  pipelining: 1,
  bodyTimeout: 0,
  headersTimeout: 0,
  keepAliveTimeout: 600_000,
  keepAliveMaxTimeout: 600_000,
};

/**
 * Sends requests on all connections until the time is over, then waits for the open ones, so that no response is lost.
 * @throws Error when a request fails or its status is not a success.
 */
export async function runClosedLoop(load: ClosedLoad): Promise<ClosedOutcome> {
  const histogram = new LatencyHistogram();
  const statuses = new StatusCounts();
  const { origin } = new URL(load.url);
  const end = performance.now() + load.seconds * 1000;
  let count = 0;
  let inTime = 0;
  const answered = (status: number, started: number, now: number) => {
    histogram.record(now - started);
    statuses.add(status);
    count++;
    if (now <= end) inTime++;
  };
  const values = await Promise.all(
    Array.from({ length: load.connections }, (_, connection) =>
      runConnection(load, connection, new Client(origin, CLIENT_OPTIONS), { end, answered }),
    ),
  );
  return {
    count,
    perSecond: inTime / load.seconds,
    statuses: statuses.counts,
    latency: histogram.percentiles(),
    ...(load.chain && { chain: values.map((value) => value ?? '') }),
  };
}

interface Counts {
  end: number;
  answered: (status: number, started: number, now: number) => void;
}

async function runConnection(
  load: ClosedLoad,
  connection: number,
  client: Client,
  { end, answered }: Counts,
): Promise<string | undefined> {
  const source = requestSource(load, connection);
  await new Promise<void>((resolve, reject) => {
    let started = 0;
    const send = () => {
      started = performance.now();
      client.dispatch(source.next(), handler);
    };
    const handler = new ReplyHandler({
      accepts: acceptedStatuses(load.expect),
      keepsBody: source.take !== undefined,
      failed: reject,
      done: (text, status) => {
        const now = performance.now();
        answered(status, started, now);
        source.take?.(text);
        if (now < end) send();
        else resolve();
      },
    });
    send();
  });
  await client.close();
  return source.value?.();
}
