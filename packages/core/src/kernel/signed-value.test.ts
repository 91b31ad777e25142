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

  it('a signed value verifies before and after a key change', async () => {
    expect(await after.verify('place', await before.sign('place', { a: 1 }, 60))).toEqual({ a: 1 });
    expect(await before.verify('place', await after.sign('place', { a: 1 }, 60))).toEqual({ a: 1 });
  });

  it('a value is signed with the first key', async () => {
    expect(
      await new ValueSigner([next], systemClock).verify('place', await before.sign('place', {}, 60)),
    ).toBeUndefined();
    expect(
      await new ValueSigner([next], systemClock).verify('place', await after.sign('place', {}, 60)),
    ).toEqual({});
  });

  it('a signed value does not verify at another place, after its lifetime or with another key', async () => {
    expect(await after.verify('elsewhere', await before.sign('place', {}, 60))).toBeUndefined();
    expect(await after.verify('place', await before.sign('place', {}, -1))).toBeUndefined();
    expect(
      await after.verify('place', await new ValueSigner([foreign], systemClock).sign('place', {}, 60)),
    ).toBeUndefined();
  });
});
