import { Pool } from 'undici';
import { LatencyHistogram } from './latency-histogram.js';
import type { OpenLoad, Percentiles } from './load.js';
import { acceptedStatuses, ReplyHandler, StatusCounts } from './reply-handler.js';
import { requestSource } from './request-source.js';

export interface OpenOutcome {
  count: number;
  perSecond: number;
  statuses: Record<number, number>;
  latency: Percentiles;
  lateness: Percentiles;
}

/** Timers are up to a millisecond late; the rest of the wait polls. */
const POLL_MS = 2;

/**
 * Starts requests at the load's rate and waits for all of them. A request that finds no free connection waits for one, and
 * that time counts.
 * @throws Error when a request fails or its status is not a success.
 */
export async function runOpenLoop(load: OpenLoad): Promise<OpenOutcome> {
  const total = Math.round(load.rate * load.seconds);
  const latency = new LatencyHistogram();
  const statuses = new StatusCounts();
  const lateness = new LatencyHistogram();
  await withPool(load, async (send) => {
    const begin = performance.now();
    for (let index = 0; index < total; index++) {
      const scheduled = begin + (index * 1000) / load.rate;
      await until(scheduled);
      lateness.record(performance.now() - scheduled);
      send((status) => {
        latency.record(performance.now() - scheduled);
        statuses.add(status);
      });
    }
  });
  return {
    count: total,
    perSecond: load.rate,
    statuses: statuses.counts,
    latency: latency.percentiles(),
    lateness: lateness.percentiles(),
  };
}

type Send = (answered: (status: number) => void) => void;

/** Runs the schedule and waits for the responses to all it has sent. */
async function withPool(load: OpenLoad, schedule: (send: Send) => Promise<void>): Promise<void> {
  const { connections } = load;
  const options = { connections, pipelining: 1, bodyTimeout: 0, headersTimeout: 0 };
  const pool = new Pool(new URL(load.url).origin, options);
  const source = requestSource({ ...load, connections: 1 }, 0);
  const accepts = acceptedStatuses(load.expect);
  const replies: Promise<Error | undefined>[] = [];
  await schedule((answered) => {
    const reply = new Promise<Error | undefined>((resolve) => {
      const done = (_text: string, status: number) => {
        answered(status);
        resolve(undefined);
      };
      pool.dispatch(source.next(), new ReplyHandler({ accepts, keepsBody: false, failed: resolve, done }));
    });
    replies.push(reply);
  });
  const failure = (await Promise.all(replies)).find((error) => error !== undefined);
  await pool.close();
  if (failure) throw failure;
}

async function until(time: number): Promise<void> {
  for (;;) {
    const rest = time - performance.now();
    if (rest <= 0) return;
    if (rest > POLL_MS) await new Promise((resolve) => setTimeout(resolve, Math.floor(rest - 1)));
    else await new Promise((resolve) => setImmediate(resolve));
  }
}
