import { describe, expect, it } from 'vitest';
import { ValueSealer } from './sealed-value.js';

const [old, next, foreign] = ['o', 'n', 'f'].map((letter) => Buffer.alloc(32, letter)) as [
  Buffer,
  Buffer,
  Buffer,
];

describe('a sealed value', () => {
  const before = new ValueSealer([old, next]);
  const after = new ValueSealer([next, old]);

  it('opens on both sides of a change of keys', () => {
    expect(after.open('place', before.seal('place', { a: 1 }, 60))).toEqual({ a: 1 });
    expect(before.open('place', after.seal('place', { a: 1 }, 60))).toEqual({ a: 1 });
  });

  it('is sealed by the first key', () => {
    expect(new ValueSealer([next]).open('place', before.seal('place', {}, 60))).toBeUndefined();
    expect(new ValueSealer([next]).open('place', after.seal('place', {}, 60))).toEqual({});
  });

  it('opens nowhere else, later, or by another key', () => {
    expect(after.open('elsewhere', before.seal('place', {}, 60))).toBeUndefined();
    expect(after.open('place', before.seal('place', {}, -1))).toBeUndefined();
    expect(after.open('place', new ValueSealer([foreign]).seal('place', {}, 60))).toBeUndefined();
  });
});
