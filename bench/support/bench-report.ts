import { renderTable, type Column } from '../../packages/cli/src/runtime/table.js';
import { isReached, type Comparison, type Goal } from './group.js';
import { countedRounds, type GroupResult } from './run-group.js';
import type { Sample } from './sample.js';
import { median, spreadOf, type Spread } from './statistics.js';

/** The figure of a comparison over all rounds that count. */
export interface ComparisonResult extends Spread {
  label: string;
  against: string;
  unit?: string;
  goal?: Goal;
  /** Undefined without a goal. */
  reached?: boolean;
}

export function comparisonResults(result: GroupResult): ComparisonResult[] {
  const rounds = countedRounds(result);
  return result.group.comparisons.map((comparison) => ({
    ...namesOf(comparison),
    ...spreadOf(rounds.map(comparison.value)),
    ...verdictOf(comparison, median(rounds.map(comparison.value))),
  }));
}

const namesOf = ({ label, against, unit }: Comparison) => ({
  label,
  against,
  ...(unit !== undefined && { unit }),
});

const verdictOf = ({ goal }: Comparison, value: number) =>
  goal && !Number.isNaN(value) ? { goal, reached: isReached(goal, value) } : goal ? { goal } : {};

const SPACE = { columns: Infinity, paint: (_style: unknown, text: string) => text };

/** Returns the lines of a group: its comparisons, then its contestants, then its noisy rounds. */
export function reportLines(result: GroupResult): string[] {
  return [
    '',
    result.group.title,
    ...renderTable(comparisonResults(result), COMPARISON_COLUMNS, SPACE),
    '',
    ...renderTable(contestantRows(result), CONTESTANT_COLUMNS, SPACE),
    ...noiseLines(result),
  ];
}

const COMPARISON_COLUMNS: Column<ComparisonResult>[] = [
  { title: 'what', text: ({ label }) => label },
  { title: 'against', text: ({ against }) => against },
  { title: 'median', text: (row) => withUnit(row, row.median) },
  { title: 'min–max', text: ({ min, max }) => `${figure(min)}–${figure(max)}` },
  { title: 'goal', text: ({ goal }) => goalText(goal) },
  { title: '', text: ({ reached }) => (reached === undefined ? '' : reached ? 'reached' : 'MISSED') },
];

interface ContestantRow {
  name: string;
  samples: Sample[];
}

const contestantRows = (result: GroupResult): ContestantRow[] =>
  result.group.contestants.map(({ name }) => ({
    name,
    samples: countedRounds(result).flatMap((round) => round[name] ?? []),
  }));

const CONTESTANT_COLUMNS: Column<ContestantRow>[] = [
  { title: 'contestant', text: ({ name }) => name },
  column('per second', ({ perSecond }) => perSecond),
  column('p50 ms', ({ latency }) => latency?.p50),
  column('p99 ms', ({ latency }) => latency?.p99),
  column('server CPU µs', ({ serverCpuUs }) => serverCpuUs),
  column('PostgreSQL CPU µs', ({ databaseCpuUs }) => databaseCpuUs),
  column('client cores', ({ clientCores }) => clientCores),
  { title: 'note', text: ({ samples }) => saturation(samples) },
];

function column(title: string, of: (sample: Sample) => number | undefined): Column<ContestantRow> {
  return {
    title,
    text: ({ samples }) => {
      const values = samples.flatMap((sample) => of(sample) ?? []);
      return values.length === 0 ? '' : figure(median(values));
    },
  };
}

function saturation(samples: readonly Sample[]): string {
  const count = samples.filter(({ saturated }) => saturated === true).length;
  return count === 0 ? '' : `the load process was too slow in ${count} of ${samples.length} rounds`;
}

function noiseLines(result: GroupResult): string[] {
  const noisy = result.noise.filter((reasons) => reasons.length > 0).length;
  if (noisy === 0) return [];
  const isLeftOut = countedRounds(result).length < result.rounds.length;
  const outcome = isLeftOut
    ? 'are left out'
    : 'count all the same, since they are the majority: repeat on a quiet machine';
  return [`${noisy} of ${result.rounds.length} rounds were noisy and ${outcome}.`];
}

const goalText = (goal: Goal | undefined): string => {
  if (!goal) return '';
  return 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
};

const withUnit = ({ unit }: ComparisonResult, value: number): string =>
  unit === undefined ? figure(value) : `${figure(value)} ${unit}`;

function figure(value: number): string {
  if (Number.isNaN(value)) return 'n/a';
  return value >= 100 ? String(Math.round(value)) : value.toFixed(value >= 10 ? 1 : 2);
}
