/** One measurement at one size. */
export interface Figure {
  label: string;
  unit: 'ms' | 'µs CPU' | 'MB';
  /** The median of times. */
  value: number;
  p99?: number;
  /** Milliseconds of CPU of service and PostgreSQL, which other processes do not change. */
  cpuMs?: number;
  /** Share of all cores that other processes used meanwhile. */
  otherCpu?: number;
  /** The highest value, or the highest ratio to the smallest size, that the project aims for. */
  goal?: { atMost: number } | { ratioAtMost: number };
  /** The reason for which there is no value. */
  failure?: string;
}

/** The figures at one size of the population. */
export interface SizeResult {
  users: number;
  figures: Figure[];
}

/** Returns whether a figure reaches its goal; undefined without a goal. */
export function reaches(figure: Figure, smallest: Figure | undefined): boolean | undefined {
  const { goal, value, failure } = figure;
  if (!goal) return undefined;
  if (failure !== undefined) return false;
  return 'atMost' in goal ? value <= goal.atMost : ratioOf(figure, smallest) <= goal.ratioAtMost;
}

/** Returns the ratio to the smallest size, of CPU time if it was measured. */
export const ratioOf = (figure: Figure, smallest: Figure | undefined): number =>
  figure.cpuMs === undefined || smallest?.cpuMs === undefined
    ? figure.value / (smallest?.value ?? NaN)
    : figure.cpuMs / smallest.cpuMs;
