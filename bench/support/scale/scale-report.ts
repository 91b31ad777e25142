import { renderTable, type Column } from '../../../packages/cli/src/runtime/table.js';
import { median } from '../statistics.js';
import { ratioOf, reaches, type Figure, type SizeResult } from './figure.js';

/** Share of the processors from which on other processes distort times. */
const MOST_OTHER_CPU = 0.1;

interface Row {
  label: string;
  /** By size, smallest first. */
  figures: (Figure | undefined)[];
}

const SPACE = { columns: Infinity, paint: (_style: unknown, text: string) => text };

/** Returns a table with one column of values per size, the ratio of the largest to the smallest size, and the goals. */
export function scaleReport(results: readonly SizeResult[]): string[] {
  const labels = [...new Set(results.flatMap(({ figures }) => figures.map(({ label }) => label)))];
  const rows = labels.map((label) => ({
    label,
    figures: results.map(({ figures }) => figures.find((figure) => figure.label === label)),
  }));
  const values = results.map(({ users }, size): Column<Row> => ({
    title: `${users.toLocaleString('en')} users`,
    text: ({ figures }) => valueText(figures[size]),
  }));
  return renderTable(rows, [LABEL, ...values, RATIO, GOAL, VERDICT], SPACE);
}

/** Returns a warning for each size at which other processes kept the machine busy. */
export function noiseLines(results: readonly SizeResult[]): string[] {
  return results.flatMap(({ users, figures }) => {
    const share = median(figures.flatMap(({ otherCpu }) => otherCpu ?? []));
    if (!(share > MOST_OTHER_CPU)) return [];
    const percent = `${Math.round(share * 100)} %`;
    return [
      `At ${users.toLocaleString('en')} users other processes used ${percent} of the processors: times are too long; compare CPU.`,
    ];
  });
}

/** Returns the number of goals that the largest size misses. */
export function missedGoals(results: readonly SizeResult[]): number {
  const smallest = results[0]?.figures ?? [];
  const largest = results.at(-1)?.figures ?? [];
  return largest.filter(
    (figure) =>
      reaches(
        figure,
        smallest.find(({ label }) => label === figure.label),
      ) === false,
  ).length;
}

const LABEL: Column<Row> = { title: 'what', text: ({ label }) => label };

const RATIO: Column<Row> = {
  title: 'ratio',
  text: ({ figures }) => {
    const largest = figures.at(-1);
    return largest && largest.failure === undefined && figures.length > 1 && figures[0]
      ? ratioOf(largest, figures[0]).toFixed(2)
      : '';
  },
};

const GOAL: Column<Row> = {
  title: 'goal',
  text: ({ figures }) => {
    const goal = figures.at(-1)?.goal;
    if (!goal) return '';
    return 'atMost' in goal ? `≤ ${goal.atMost} ${figures.at(-1)?.unit ?? ''}` : `≤ ${goal.ratioAtMost}×`;
  },
};

const VERDICT: Column<Row> = {
  title: '',
  text: ({ figures }) => {
    const largest = figures.at(-1);
    const reached = largest && reaches(largest, figures[0]);
    return reached === undefined ? '' : reached ? 'reached' : 'MISSED';
  },
};

function valueText(figure: Figure | undefined): string {
  if (!figure) return '';
  if (figure.failure !== undefined) return figure.failure;
  const more = [
    ...(figure.p99 === undefined ? [] : [`p99 ${rounded(figure.p99)}`]),
    ...(figure.cpuMs === undefined ? [] : [`CPU ${rounded(figure.cpuMs)}`]),
  ];
  const inBrackets = more.length === 0 ? '' : ` (${more.join(', ')})`;
  return `${rounded(figure.value)} ${figure.unit}${inBrackets}`;
}

const rounded = (value: number): string => (value >= 100 ? String(Math.round(value)) : value.toFixed(1));
