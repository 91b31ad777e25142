import type { CleanupPlan } from './cleanup.js';
import type { KeepTime } from './keep-times.js';
import type { Measure } from './retention-repository.js';

/** The rows of one kind that came to their end before the limit. */
export interface Task extends KeepTime {
  /** Microseconds since the epoch. */
  limit: string;
}

/** What was measured, stretch by stretch, all together. */
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

/** To the millisecond, earlier rather than later. */
export const isoOf = (microseconds: string): string =>
  new Date(Number(BigInt(microseconds) / 1000n)).toISOString();
