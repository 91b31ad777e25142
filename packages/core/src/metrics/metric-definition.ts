/** All values of a label, or a description if the list is open. */
export type LabelValues = readonly string[] | string;

/** A metric as `/metrics` and docs/metrics.md describe it. */
export interface MetricDefinition<Label extends string = string> {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: Readonly<Record<Label, LabelValues>>;
  /** Upper bounds, ascending; histograms only. */
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
