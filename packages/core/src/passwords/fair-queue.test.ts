import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.js';

/** Adds up to `wanted` items of a bucket, as long as they are accepted. Returns their number. */
function fill(queue: FairQueue<string>, bucket: string, wanted: number): number {
  let added = 0;
  while (added < wanted && queue.hasSpace(bucket)) queue.add(bucket, `${bucket}${++added}`);
  return added;
}

describe('a fair queue', () => {
  it('gives no bucket more than a quarter of its capacity', () => {
    const queue = new FairQueue<string>(16);
    expect(fill(queue, 'a', 100)).toBe(4);
    expect(fill(queue, 'b', 100)).toBe(4);
    expect(queue.hasSpace('a')).toBe(false);
    expect(queue.size).toBe(8);
  });

  it('is full when all buckets together fill it', () => {
    const queue = new FairQueue<string>(16);
    for (const bucket of ['a', 'b', 'c', 'd']) fill(queue, bucket, 4);
    expect(queue.hasSpace('e')).toBe(false);
    queue.next();
    expect(queue.hasSpace('e')).toBe(true);
  });

  it.each([
    [1, 1],
    [3, 1],
    [7, 1],
    [8, 2],
  ])('with a capacity of %d accepts %d items of a bucket', (capacity, share) => {
    expect(fill(new FairQueue<string>(capacity), 'a', 100)).toBe(share);
  });

  it('with a capacity of 0 accepts no item', () => {
    expect(fill(new FairQueue<string>(0), 'a', 1)).toBe(0);
  });

  it('serves buckets in turn and the items of each in their order', () => {
    const queue = new FairQueue<string>(40);
    fill(queue, 'a', 4);
    fill(queue, 'b', 2);
    fill(queue, 'c', 1);
    const served = Array.from({ length: 8 }, () => queue.next());
    expect(served).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4', undefined]);
    expect(queue.size).toBe(0);
  });

  it('frees the space of a removed item', () => {
    const queue = new FairQueue<string>(8);
    fill(queue, 'a', 2);
    queue.remove('a', 'a1');
    queue.remove('a', 'a1');
    queue.remove('b', 'b1');
    expect([queue.size, queue.hasSpace('a')]).toEqual([1, true]);
    expect(queue.next()).toBe('a2');
  });

  it('returns and removes all items when it is drained', () => {
    const queue = new FairQueue<string>(8);
    fill(queue, 'a', 2);
    fill(queue, 'b', 1);
    expect(queue.drain()).toEqual(['a1', 'a2', 'b1']);
    expect([queue.size, queue.next(), queue.hasSpace('a')]).toEqual([0, undefined, true]);
  });
});
