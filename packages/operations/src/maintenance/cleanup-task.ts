import type { CleanupPlan } from './cleanup.js';
import type { KeepTime } from './keep-times.js';
import type { Measure } from './retention-repository.js';

/** The clean-up of one kind: its rows that ended before the limit. */
export interface Task extends KeepTime {
  /** Microseconds since the epoch. */
  limit: string;
}

/** Returns the sum of the measures of all ranges. */
export function toPlan({ kind, keep, limit }: Task, measures: readonly Measure[]): CleanupPlan {
  const sumOf = (part: 'count' | 'bytes') => measures.reduce((sum, measure) => sum + measure[part], 0);
  return {
    kind,
    keep,
    before: isoOf(limit),
    count: sumOf('count'),
    oldest: measures.flatMap(({ oldest }) => oldest?.toISOString() ?? []).sort()[0] ?? null,
    newest:
      measures
        .flatMap(({ newest }) => newest?.toISOString() ?? [])
        .sort()
        .at(-1) ?? null,
    bytes: sumOf('bytes'),
  };
}

/** Returns the instant in ISO 8601, rounded down to the millisecond. */
export const isoOf = (microseconds: string): string =>
  new Date(Number(BigInt(microseconds) / 1000n)).toISOString();
