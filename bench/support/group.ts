import { cpuOf, type Round, type Sample } from './sample.js';

/** One side of a comparison. */
export interface Contestant {
  name: string;
  /** Does the work of one round. */
  run: (seconds: number) => Promise<Sample>;
}

/** A bound that the figure of a comparison must reach. */
export type Goal = { atLeast: number } | { atMost: number };

/** A figure of a round, usually a ratio of two contestants. */
export interface Comparison {
  /** Subject, such as `GET /auth/me, 50 connections`. */
  label: string;
  /** Baseline, such as `bare Express`. */
  against: string;
  /** Unit of the figure. Defaults to none, for ratios. */
  unit?: string;
  value: (round: Round) => number;
  goal?: Goal;
}

/** Contestants whose rounds are interleaved, and the figures that follow from them. */
export interface Group {
  /** Name for `--only`. */
  name: string;
  title: string;
  contestants: readonly Contestant[];
  /** Name of the contestant whose throughput shows whether a round was quiet. */
  baseline: string;
  comparisons: readonly Comparison[];
  /** Replaces the length of a round. */
  seconds?: number;
  /** Replaces the number of rounds. */
  rounds?: number;
  /** Seconds of unmeasured work of each contestant before the first round. Defaults to 1; 0 for none. */
  warmUpSeconds?: number;
}

/** Warm-up of sign-ins and registrations: V8 compiles what has run often, and there are but a hundred of them a second. */
export const SIGN_IN_WARM_UP_SECONDS = 15;

type Pair = readonly [subject: string, baseline: string];

const ratio =
  (figure: (sample: Sample | undefined) => number) =>
  ([subject, baseline]: Pair) =>
  (round: Round): number =>
    figure(round[subject]) / figure(round[baseline]);

/** Throughput of the subject divided by that of the baseline. */
export const throughputRatio = ratio((sample) => sample?.perSecond ?? NaN);

/** CPU time of the subject per request, PostgreSQL included, divided by that of the baseline. */
export const cpuRatio = ratio(cpuOf);

/** Median latency of the subject divided by that of the baseline. */
export const p50Ratio = ratio((sample) => sample?.latency?.p50 ?? NaN);

/** 99th percentile of the subject's latency divided by that of the baseline. */
export const p99Ratio = ratio((sample) => sample?.latency?.p99 ?? NaN);

/** A further figure of a contestant. */
export const figureOf =
  (contestant: string, figure: string) =>
  (round: Round): number =>
    round[contestant]?.figures?.[figure] ?? NaN;

export function isReached(goal: Goal, value: number): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}
