import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { Percentiles } from './load.js';

/** Longest time that is distinguished from longer ones: ten minutes in microseconds. */
const HIGHEST_US = 600_000_000;

/** Counts times in microseconds with three significant figures. */
export class LatencyHistogram {
  readonly #histogram: RecordableHistogram = createHistogram({ lowest: 1, highest: HIGHEST_US, figures: 3 });

  record(milliseconds: number): void {
    this.#histogram.record(Math.min(HIGHEST_US, Math.max(1, Math.round(milliseconds * 1000))));
  }

  percentiles(): Percentiles {
    const at = (percentile: number) => this.#histogram.percentile(percentile) / 1000;
    return { p50: at(50), p90: at(90), p99: at(99), max: this.#histogram.max / 1000 };
  }
}
