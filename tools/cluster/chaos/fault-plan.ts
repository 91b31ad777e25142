import { Random } from './random.js';

/** `kill` is SIGKILL, `pause` SIGSTOP. `cut` and `silent` are the two ways in which a network is partitioned. */
export type FaultKind = 'kill' | 'pause' | 'cut' | 'silent';

/** Something that faults can hit. */
export interface FaultSource {
  part: string;
  kinds: readonly FaultKind[];
  /** How long a fault lasts at most, before the part is healed. */
  longestMs: number;
}

export interface PlannedFault {
  kind: FaultKind;
  part: string;
  /** Since the start of the run. */
  startMs: number;
  endMs: number;
}

export interface FaultPlanOptions {
  seed: number;
  totalMs: number;
  /** Time without faults between two of them. */
  quietMs: number;
  sources: readonly FaultSource[];
}

const SHORTEST_MS = 2_000;
/** One in so many faults is joined by a second one while it lasts. */
const SECOND_ONE_IN = 3;

/** Plans faults for the whole run: at most two at a time, of different parts, and all of them over at its end. */
export function planFaults({ seed, totalMs, quietMs, sources }: FaultPlanOptions): PlannedFault[] {
  const random = new Random(seed);
  const faults: PlannedFault[] = [];
  for (let start = quietMs; start + SHORTEST_MS <= totalMs;) {
    const first = planFault(random, sources, { start, totalMs });
    faults.push(first);
    start = first.endMs;
    if (random.isOneIn(SECOND_ONE_IN)) {
      const others = sources.filter(({ part }) => part !== first.part);
      const secondStart = random.between(first.startMs, first.endMs);
      if (secondStart + SHORTEST_MS <= totalMs) {
        const second = planFault(random, others, { start: secondStart, totalMs });
        faults.push(second);
        start = Math.max(start, second.endMs);
      }
    }
    start += quietMs;
  }
  return faults;
}

function planFault(
  random: Random,
  sources: readonly FaultSource[],
  { start, totalMs }: { start: number; totalMs: number },
): PlannedFault {
  const kinds: FaultKind[] = ['kill', 'pause', random.isOneIn(2) ? 'cut' : 'silent'];
  const kind = random.pick(kinds.filter((each) => sources.some((source) => source.kinds.includes(each))));
  const { part, longestMs } = random.pick(sources.filter(({ kinds }) => kinds.includes(kind)));
  const endMs = Math.min(totalMs, start + random.between(SHORTEST_MS, longestMs));
  return { kind, part, startMs: Math.round(start), endMs: Math.round(endMs) };
}
