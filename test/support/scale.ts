/** True when `PROOF_SCALE=full` asks for the whole of the dear tests. The suite runs a short form of each. */
export const IS_FULL = process.env.PROOF_SCALE === 'full';

const PART = 3;

/**
 * Returns all cases at full scale. Otherwise about a third of them, for each index other ones: any three neighbours of a table
 * have every case between them, and none is without cases.
 */
export function shareOf<T>(cases: readonly T[], index: number): readonly T[] {
  if (IS_FULL) return cases;
  const step = Math.min(PART, cases.length);
  return cases.filter((_, place) => (place + index) % step === 0);
}

/** Returns how often a property is tried: at full scale as often as given, otherwise a third of it. */
export const runsOf = (full: number): number => (IS_FULL ? full : Math.ceil(full / PART));
