import { expect } from 'vitest';
import type { Answer } from './api-client.js';
import { INTERNAL_KEY, type TestService } from './service.js';

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** The content of one scrape. */
export class Scrape {
  readonly text: string;
  readonly samples: readonly Sample[];

  constructor(text: string) {
    this.text = text;
    this.samples = text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map(readSample);
  }

  /** Names and types, from the `# TYPE` lines: also of metrics without a sample. */
  get types(): ReadonlyMap<string, string> {
    const lines = this.text.matchAll(/^# TYPE (\S+) (\S+)$/gm);
    return new Map([...lines].map(([, name = '', type = '']) => [name, type]));
  }

  /** The samples of a metric whose labels include these. */
  of(name: string, labels: Record<string, string> = {}): Sample[] {
    const fits = (sample: Sample) =>
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value);
    return this.samples.filter((sample) => sample.name === name && fits(sample));
  }

  /** Their sum; undefined when there are none. */
  sum(name: string, labels: Record<string, string> = {}): number | undefined {
    const found = this.of(name, labels);
    return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
  }
}

/** `GET /metrics`, with the internal key unless `headers` say otherwise. */
export const getMetrics = (
  { client }: Pick<TestService, 'client'>,
  headers: Record<string, string> = { 'x-internal-api-key': INTERNAL_KEY },
): Promise<Answer> => client.send('GET', '/metrics', { headers });

export async function scrape(service: Pick<TestService, 'client'>): Promise<Scrape> {
  const answer = await getMetrics(service);
  expect(answer.status, answer.text).toBe(200);
  return new Scrape(answer.text);
}

/** By how much each of the named samples grows while the work is done; those that stay are left out. */
export async function growthOf(
  service: TestService,
  name: string,
  work: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const before = await scrape(service);
  await work();
  return growthBetween(before, await scrape(service), name);
}

/** By how much each of the named samples has grown; those that stayed are left out. */
export function growthBetween(before: Scrape, after: Scrape, name: string): Record<string, number> {
  const grown = after
    .of(name)
    .map(({ labels, value }): [string, number] => [
      Object.values(labels).join(' '),
      value - (before.sum(name, labels) ?? 0),
    ])
    .filter(([, growth]) => growth !== 0);
  return Object.fromEntries(grown);
}

function readSample(line: string): Sample {
  const [, name = '', labels = '', value = ''] = /^([\w:]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  expect(name, `a line that is no sample: ${line}`).not.toBe('');
  const pairs = labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g);
  return {
    name,
    labels: Object.fromEntries([...pairs].map(([, label = '', text = '']) => [label, text])),
    value: Number(value),
  };
}
