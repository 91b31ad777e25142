import { drive, type Load, type LoadResult } from './load.js';

/** A load and the baseline it is compared with. */
export interface Comparison {
  name: string;
  against: string;
  /** The minimum ratio that the project aims for. */
  goal?: number;
  subject: () => Load;
  baseline: () => Load;
}

export interface ComparisonResult {
  comparison: Comparison;
  /** Throughput of the subject divided by that of the baseline, one ratio per round. */
  ratios: number[];
  subject: LoadResult;
  baseline: LoadResult;
}

/** Runs subject and baseline alternately, so that changes in machine speed affect both. */
export async function compare(comparison: Comparison, rounds: number): Promise<ComparisonResult> {
  const subjects: LoadResult[] = [];
  const baselines: LoadResult[] = [];
  for (let round = 0; round < rounds; round++) {
    baselines.push(await drive(comparison.baseline()));
    subjects.push(await drive(comparison.subject()));
  }
  return {
    comparison,
    ratios: subjects.map((subject, round) => subject.perSecond / (baselines[round]?.perSecond ?? NaN)),
    subject: medianResult(subjects),
    baseline: medianResult(baselines),
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

const medianResult = (results: readonly LoadResult[]): LoadResult => ({
  perSecond: median(results.map((result) => result.perSecond)),
  p50: median(results.map((result) => result.p50)),
  p99: median(results.map((result) => result.p99)),
});

export function printResults(results: readonly ComparisonResult[]): void {
  const rows = results.map(({ comparison, ratios, subject, baseline }) => ({
    request: comparison.name,
    'compared with': comparison.against,
    'ratio (median)': median(ratios).toFixed(2),
    'min–max': `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
    goal: comparison.goal?.toFixed(2) ?? '',
    'per second': Math.round(subject.perSecond),
    baseline: Math.round(baseline.perSecond),
    'p50/p99 ms': `${subject.p50}/${subject.p99}`,
  }));
  console.table(rows);
}
