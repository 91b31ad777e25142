import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { LabelValues, MetricDefinition } from './metric-definition.js';

/** Updates the value of a metric before it is read. */
type Collect<Metric> = (metric: Metric) => void | Promise<void>;

/** Returns a counter in the registry; if the values of its labels are known, all of them start at 0. */
export function makeCounter<Label extends string>(
  registry: Registry,
  definition: MetricDefinition<Label>,
  collect?: Collect<Counter<Label>>,
): Counter<Label> {
  const made = new Counter<Label>({
    ...configOf(registry, definition),
    ...(collect && {
      collect() {
        return collect(this);
      },
    }),
  });
  for (const labels of knownLabels(definition)) made.inc(labels, 0);
  return made;
}

export function makeGauge<Label extends string>(
  registry: Registry,
  definition: MetricDefinition<Label>,
  collect: Collect<Gauge<Label>>,
): Gauge<Label> {
  return new Gauge<Label>({
    ...configOf(registry, definition),
    collect() {
      return collect(this);
    },
  });
}

/**
 * Returns a histogram in the registry; if the values of its labels are known, all of them exist from the
 * start.
 */
export function makeHistogram<Label extends string>(
  registry: Registry,
  definition: MetricDefinition<Label>,
): Histogram<Label> {
  const made = new Histogram<Label>({
    ...configOf(registry, definition),
    buckets: [...(definition.buckets ?? [])],
  });
  for (const labels of knownLabels(definition)) made.zero(labels);
  return made;
}

/** Sets a counter to a total that is counted elsewhere. */
export function setTotal<Label extends string>(
  counter: Counter<Label>,
  totals: readonly { labels: Partial<Record<Label, string>>; total: number }[],
): void {
  counter.reset();
  for (const { labels, total } of totals) counter.inc(labels, total);
}

function configOf<Label extends string>(registry: Registry, definition: MetricDefinition<Label>) {
  const { name, help, labels } = definition;
  return { name, help, labelNames: Object.keys(labels) as Label[], registers: [registry] };
}

const knownLabels = <Label extends string>({ labels }: MetricDefinition<Label>) =>
  (labelCombinations(labels) ?? []) as Record<Label, string>[];

/** Returns every combination of label values, or undefined if a label has no closed list. */
function labelCombinations(
  labels: Readonly<Record<string, LabelValues>>,
): Record<string, string>[] | undefined {
  let combinations: Record<string, string>[] = [{}];
  for (const [label, values] of Object.entries(labels)) {
    if (typeof values === 'string') return undefined;
    combinations = combinations.flatMap((known) => values.map((value) => ({ ...known, [label]: value })));
  }
  return combinations;
}
