import { describe, expect, it } from 'vitest';
import { Batcher } from './batcher.js';

/** A batcher over a counter of reads; `read` answers each key in capitals, and nothing for `missing`. */
function countingBatcher() {
  const reads: string[][] = [];
  const batcher = new Batcher<string>((keys) => {
    reads.push(keys);
    return Promise.resolve(
      new Map(keys.filter((key) => key !== 'missing').map((key) => [key, key.toUpperCase()])),
    );
  });
  return { reads, batcher };
}

describe('look-ups of one turn of the event loop', () => {
  it('look-ups of one turn share one read that holds each key once', async () => {
    const { reads, batcher } = countingBatcher();
    const found = await Promise.all(['a', 'b', 'a', 'missing'].map((key) => batcher.load(key)));
    expect(found).toEqual(['A', 'B', 'A', undefined]);
    expect(reads).toEqual([['a', 'b', 'missing']]);
  });

  it('many look-ups are read in several batches', async () => {
    const { reads, batcher } = countingBatcher();
    const keys = Array.from({ length: 1_200 }, (_, n) => `key ${n}`);
    expect(await Promise.all(keys.map((key) => batcher.load(key)))).toEqual(
      keys.map((key) => key.toUpperCase()),
    );
    expect(reads.map(({ length }) => length)).toEqual([500, 500, 200]);
  });

  it('all look-ups of a failed read fail, and the next ones are read anew', async () => {
    let fails = true;
    const batcher = new Batcher<string>((keys) =>
      fails ? Promise.reject(new Error('away')) : Promise.resolve(new Map(keys.map((key) => [key, key]))),
    );
    const failed = await Promise.allSettled([batcher.load('a'), batcher.load('b'), batcher.load('a')]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    fails = false;
    expect(await batcher.load('a')).toBe('a');
  });
});

it('a full batch is sent at once, and the rest at the end of the turn', async () => {
  const { reads, batcher } = countingBatcher();
  const found = Array.from({ length: 600 }, (_, n) => batcher.load(`key ${n}`));
  expect(reads.map(({ length }) => length)).toEqual([500]);
  await Promise.all(found);
  expect(reads.map(({ length }) => length)).toEqual([500, 100]);
});

it('a look-up never joins a read that was sent before it was asked for', async () => {
  let stored = 'before';
  const answers: (() => void)[] = [];
  const batcher = new Batcher<string>((keys) => {
    const seen = stored;
    return new Promise((resolve) => answers.push(() => resolve(new Map(keys.map((key) => [key, seen])))));
  });
  const early = batcher.load('a');
  await untilSent(answers, 1);
  stored = 'after';
  const late = batcher.load('a');
  await untilSent(answers, 2);
  answers.forEach((answer) => answer());
  expect([await early, await late]).toEqual(['before', 'after']);
});

async function untilSent(reads: unknown[], count: number): Promise<void> {
  while (reads.length < count) await new Promise((resolve) => setImmediate(resolve));
}
