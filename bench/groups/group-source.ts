import type { BenchOptions } from '../support/bench-options.js';
import type { Source } from '../support/bench-program.js';
import type { BenchEnvironment } from '../support/environment.js';

/** A source of groups that measure the service and baselines; it returns one, or one for each number of connections. */
export type GroupSource = Source<BenchEnvironment>;

/** Returns the usual numbers of connections that were asked for, or everything that was asked for if none of them was. */
export function connectionsFor({ connections }: BenchOptions, usual: readonly number[]): number[] {
  const asked = connections.filter((count) => usual.includes(count));
  return asked.length > 0 ? asked : connections;
}
