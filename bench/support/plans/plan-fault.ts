import type { Lookup } from './lookup.js';
import type { Reads } from './plan-recorder.js';

/** More rows than any page or batch has. */
const MOST_ROWS = 10_000;
/** Twice as many as the population has in any table for one user: the audit log has five. */
const MOST_ROWS_OF_ONE_USER = 10;

/** Returns what is wrong with what a lookup has read; undefined if nothing is. */
export function faultOf(
  { wholeTables, rows }: Pick<Reads, 'wholeTables' | 'rows'>,
  lookup: Pick<Lookup, 'beyondOneUser' | 'readsMany' | 'readsManyIfSmall'>,
  { isSmall }: { isSmall: boolean },
): string | undefined {
  const mayReadMany = lookup.readsMany ?? (isSmall ? lookup.readsManyIfSmall : undefined);
  if (mayReadMany !== undefined) return undefined;
  if (wholeTables.length > 0) return `READS ALL OF ${wholeTables.join(', ')}`;
  if (rows > MOST_ROWS) return 'READS TOO MANY ROWS';
  const isOfOthers = lookup.beyondOneUser === undefined && rows > MOST_ROWS_OF_ONE_USER;
  return isOfOthers ? `READS ${rows} ROWS, MORE THAN ONE USER HAS` : undefined;
}
