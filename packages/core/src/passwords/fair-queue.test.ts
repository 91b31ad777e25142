import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.js';

/** Adds as many items of a bucket as find room, at most `wanted`; gives their number. */
function fill(queue: FairQueue<string>, bucket: string, wanted: number): number {
  let added = 0;
  while (added < wanted && queue.hasRoom(bucket)) queue.add(bucket, `${bucket}${++added}`);
  return added;
}

describe('a fair queue', () => {
  it('gives no bucket more than a quarter of its room', () => {
    const queue = new FairQueue<string>(16);
    expect(fill(queue, 'a', 100)).toBe(4);
    expect(fill(queue, 'b', 100)).toBe(4);
    expect(queue.hasRoom('a')).toBe(false);
    expect(queue.size).toBe(8);
  });

  it('is full when all buckets together fill it', () => {
    const queue = new FairQueue<string>(16);
    for (const bucket of ['a', 'b', 'c', 'd']) fill(queue, bucket, 4);
    expect(queue.hasRoom('e')).toBe(false);
    queue.next();
    expect(queue.hasRoom('e')).toBe(true);
  });

  it.each([
    [1, 1],
    [3, 1],
    [7, 1],
    [8, 2],
  ])('of %d places gives a bucket %d', (capacity, share) => {
    expect(fill(new FairQueue<string>(capacity), 'a', 100)).toBe(share);
  });

  it('of no places takes nobody', () => {
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

  it('forgets an item that waits no longer, and the room is free again', () => {
    const queue = new FairQueue<string>(8);
    fill(queue, 'a', 2);
    queue.remove('a', 'a1');
    queue.remove('a', 'a1');
    queue.remove('b', 'b1');
    expect([queue.size, queue.hasRoom('a')]).toEqual([1, true]);
    expect(queue.next()).toBe('a2');
  });

  it('is emptied at once', () => {
    const queue = new FairQueue<string>(8);
    fill(queue, 'a', 2);
    fill(queue, 'b', 1);
    expect(queue.drain()).toEqual(['a1', 'a2', 'b1']);
    expect([queue.size, queue.next(), queue.hasRoom('a')]).toEqual([0, undefined, true]);
  });
});
