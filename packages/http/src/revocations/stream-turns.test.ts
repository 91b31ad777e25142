import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { StreamTurns } from './stream-turns.js';

function busyFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** Streams that note their number when they write. */
function streams(count: number, cost = 0) {
  const written: number[] = [];
  const flushing = (number: number) => ({
    flush: () => {
      busyFor(cost);
      written.push(number);
    },
  });
  return { written, all: Array.from({ length: count }, (_each, number) => flushing(number)) };
}

it('other work is done between the slices of a thousand streams', async () => {
  const turns = new StreamTurns();
  const { written, all } = streams(1_000);
  for (const stream of all) turns.add(stream);
  expect(written).toEqual([]);
  const seen = new Set<number>();
  while (written.length < all.length) {
    seen.add(written.length);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(seen.size).toBeGreaterThanOrEqual(20);
  expect(written).toEqual(all.map((_each, number) => number));
});

it('a stream that asks several times before its turn has one', async () => {
  const turns = new StreamTurns();
  const { written, all } = streams(3);
  for (let times = 0; times < 5; times += 1) for (const stream of all) turns.add(stream);
  await waitUntil(() => written.length >= 3, { what: 'three writes' });
  await sleep(50);
  expect(written).toEqual([0, 1, 2]);
});

it('after much writing comes a rest, after very much a limited one', async () => {
  for (const [cost, least, most] of [
    [10, 90, Number.POSITIVE_INFINITY],
    [500, 250, 3_000],
  ] as const) {
    const turns = new StreamTurns();
    const { written, all } = streams(1, cost);
    const add = () => all.forEach((stream) => turns.add(stream));
    add();
    await waitUntil(() => written.length === 1, { what: 'the first write' });
    const wroteAt = performance.now();
    add();
    await waitUntil(() => written.length === 2, { what: 'the second write' });
    // Without the second write itself, and with a tolerance for the timer.
    const rested = performance.now() - wroteAt - cost;
    expect(rested).toBeGreaterThan(least - 40);
    expect(rested).toBeLessThan(most);
  }
});
