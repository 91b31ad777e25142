import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import { GroupCommit } from './group-commit.js';

/** A group commit whose writes end when the test says so, and answer each item in capitals. */
function heldWrites() {
  const writes: { items: readonly string[]; end: (error?: Error) => void }[] = [];
  const group = new GroupCommit<string, string>(
    (items) =>
      new Promise((resolve, reject) => {
        writes.push({
          items,
          end: (error) => (error ? reject(error) : resolve(items.map((item) => item.toUpperCase()))),
        });
      }),
  );
  return { group, writes };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('items that are written together', () => {
  it('items of one turn share a write, and each gets its own result', async () => {
    const { group, writes } = heldWrites();
    const results = Promise.all(['a', 'b', 'a'].map((item) => group.add(item)));
    await turn();
    expect(writes.map(({ items }) => items)).toEqual([['a', 'b', 'a']]);
    writes[0]?.end();
    expect(await results).toEqual(['A', 'B', 'A']);
  });

  it('what arrives during two writes is written together after the first of them', async () => {
    const { group, writes } = heldWrites();
    const results: Promise<string>[] = [];
    for (const item of ['a', 'b', 'c', 'd']) {
      results.push(group.add(item));
      await turn();
    }
    expect(writes.map(({ items }) => items)).toEqual([['a'], ['b']]);
    writes[1]?.end();
    expect(await results[1]).toBe('B');
    expect(writes.map(({ items }) => items)).toEqual([['a'], ['b'], ['c', 'd']]);
    writes[0]?.end();
    writes[2]?.end();
    expect(await Promise.all(results)).toEqual(['A', 'B', 'C', 'D']);
  });

  it('at most a hundred items are written together', async () => {
    const { group, writes } = heldWrites();
    const results = Array.from({ length: 250 }, (_, n) => group.add(String(n)));
    await turn();
    expect(writes.map(({ items }) => items.length)).toEqual([100, 100]);
    writes.forEach(({ end }) => end());
    await results[0];
    await turn();
    writes.forEach(({ end }) => end());
    expect(await Promise.all(results)).toHaveLength(250);
    expect(writes.map(({ items }) => items.length)).toEqual([100, 100, 50]);
  });
});

it('a group is written in the asynchronous context of its first item', async () => {
  const context = new AsyncLocalStorage<string>();
  const contexts: (string | undefined)[] = [];
  const ends: (() => void)[] = [];
  const group = new GroupCommit<string, string>((items) => {
    contexts.push(context.getStore());
    return new Promise((resolve) => ends.push(() => resolve(items)));
  });
  const results: Promise<string>[] = [];
  for (const item of ['a', 'b', 'c', 'd']) {
    results.push(context.run(`context of ${item}`, () => group.add(item)));
    await turn();
  }
  ends.forEach((end) => end());
  await results[0];
  await turn();
  ends.forEach((end) => end());
  await Promise.all(results);
  expect(contexts).toEqual(['context of a', 'context of b', 'context of c']);
});

it('an error is thrown to its group and to no other', async () => {
  const { group, writes } = heldWrites();
  const failing = Promise.allSettled([group.add('a'), group.add('b')]);
  await turn();
  const working = group.add('c');
  await turn();
  writes[0]?.end(new Error('away'));
  writes[1]?.end();
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await working).toBe('C');
});

it('what has waited for two seconds is refused and not written', async () => {
  const { group, writes } = heldWrites();
  const early = [group.add('a'), group.add('b')];
  await turn();
  const hanging = group.add('c');
  await turn();
  const late = Promise.allSettled([group.add('d'), group.add('e')]);
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  writes.forEach(({ end }) => end());
  expect(await Promise.all([...early, hanging])).toEqual(['A', 'B', 'C']);
  expect(await late).toEqual(
    Array.from(
      { length: 2 },
      () =>
        expect.objectContaining({
          status: 'rejected',
          reason: expect.objectContaining({ code: 'service_unavailable' }) as unknown,
        }) as unknown,
    ),
  );
  expect(writes).toHaveLength(2);
  const next = group.add('f');
  await turn();
  writes.at(-1)?.end();
  expect(await next).toBe('F');
});
