/** Every value a label can have, or where there are many, what it names. */
export type LabelValues = readonly string[] | string;

/** What is measured, in the words of `/metrics` and of docs/metrics.md. */
export interface MetricDefinition<Label extends string = string> {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: Readonly<Record<Label, LabelValues>>;
  /** Upper bounds, ascending; of histograms only. */
  readonly buckets?: readonly number[];
}

type Words<Label extends string> = Pick<MetricDefinition<Label>, 'name' | 'help' | 'labels'>;

export const counter = <Label extends string = never>(words: Words<Label>): MetricDefinition<Label> => ({
  ...words,
  type: 'counter',
});

export const gauge = <Label extends string = never>(words: Words<Label>): MetricDefinition<Label> => ({
  ...words,
  type: 'gauge',
});

export const histogram = <Label extends string = never>(
  words: Words<Label> & { buckets: readonly number[] },
): MetricDefinition<Label> => ({ ...words, type: 'histogram' });

/** Every combination of values of the labels; undefined when one of them has no closed list. */
export function labelCombinations(
  labels: Readonly<Record<string, LabelValues>>,
): Record<string, string>[] | undefined {
  let combinations: Record<string, string>[] = [{}];
  for (const [label, values] of Object.entries(labels)) {
    if (typeof values === 'string') return undefined;
    combinations = combinations.flatMap((known) => values.map((value) => ({ ...known, [label]: value })));
  }
  return combinations;
}
