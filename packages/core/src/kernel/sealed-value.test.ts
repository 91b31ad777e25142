import { describe, expect, it } from 'vitest';
import { systemClock } from './clock.js';
import { ValueSigner } from './signed-value.js';

const [old, next, foreign] = ['o', 'n', 'f'].map((letter) => Buffer.alloc(32, letter)) as [
  Buffer,
  Buffer,
  Buffer,
];

describe('a signed value', () => {
  const before = new ValueSigner([old, next], systemClock);
  const after = new ValueSigner([next, old], systemClock);

  it('opens on both sides of a change of keys', async () => {
    expect(await after.open('place', await before.seal('place', { a: 1 }, 60))).toEqual({ a: 1 });
    expect(await before.open('place', await after.seal('place', { a: 1 }, 60))).toEqual({ a: 1 });
  });

  it('is signed by the first key', async () => {
    expect(
      await new ValueSigner([next], systemClock).open('place', await before.seal('place', {}, 60)),
    ).toBeUndefined();
    expect(
      await new ValueSigner([next], systemClock).open('place', await after.seal('place', {}, 60)),
    ).toEqual({});
  });

  it('opens nowhere else, later, or by another key', async () => {
    expect(await after.open('elsewhere', await before.seal('place', {}, 60))).toBeUndefined();
    expect(await after.open('place', await before.seal('place', {}, -1))).toBeUndefined();
    expect(
      await after.open('place', await new ValueSigner([foreign], systemClock).sign('place', {}, 60)),
    ).toBeUndefined();
  });
});
