import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  addTo,
  BLOCK_BITS,
  BLOCK_BYTES,
  blockOf,
  falsePositiveRateOf,
  isIn,
  isIntact,
  writeChecksum,
} from './filter-block.js';
import { filterSizeFor } from './filter-size.js';
import { keyOf, keysOf } from './password-key.js';

/** Returns the numbers of the bits that are set. */
const bitsOf = (block: Buffer): number[] =>
  Array.from({ length: BLOCK_BITS }, (_, bit) => bit).filter(
    (bit) => ((block[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0,
  );

const ascending = (numbers: number[]): number[] => numbers.toSorted((one, other) => one - other);

describe('the format of a list', () => {
  // Computed by another program from the description in decision 48.
  it.each([
    {
      password: 'password',
      key: { high: 0x5b_aa_61_e4, low: 0xc9_b9_3f_3f },
      block: 549,
      bits: [29_358, 25_863, 6955, 13_000, 23_667, 27_439, 28_092, 5377, 10_595, 14_277],
    },
    {
      password: 'a long walk home',
      key: { high: 0xbc_5b_f0_24, low: 0x62_ad_54_be },
      block: 1130,
      bits: [20_882, 19_097, 31_683, 5933, 14_144, 21_609, 5209, 28_248, 214, 18_498],
    },
  ])('sets known bits for the password "$password"', ({ password, key, block: index, bits }) => {
    expect(keyOf(password)).toEqual(key);
    expect(blockOf(key.high, 1536)).toBe(index);
    const block = Buffer.alloc(BLOCK_BYTES);
    addTo(block, key.low, bits.length);
    expect(bitsOf(block)).toEqual(ascending(bits));
    expect(isIn(block, key.low, bits.length)).toBe(true);
    expect(isIn(block, key.low ^ 1, bits.length)).toBe(false);
  });

  it('has the first block for the lowest key and the last block for the highest', () => {
    expect([0, 2 ** 32 - 1].map((high) => blockOf(high, 2 ** 21))).toEqual([0, 2 ** 21 - 1]);
  });

  it('has two keys for a password whose normalized form differs, and one for any other', () => {
    expect(keysOf('ﬁve owls')).toEqual([keyOf('ﬁve owls'), keyOf('five owls')]);
    expect(keysOf('five owls')).toEqual([keyOf('five owls')]);
  });
});

describe('the checksum of a block', () => {
  const block = Buffer.alloc(BLOCK_BYTES, 7);
  writeChecksum(block, 3, 12_345);

  it('fits the block at its position of its file alone', () => {
    expect(isIntact(block, 3, 12_345)).toBe(true);
    expect(isIntact(block, 4, 12_345)).toBe(false);
    expect(isIntact(block, 3, 12_346)).toBe(false);
    expect(isIntact(block.subarray(0, 4000), 3, 12_345)).toBe(false);
  });

  it.each([0, 2000, 4091, 4092, 4095])('does not fit after a change of byte %d', (at) => {
    const changed = Buffer.from(block);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(isIntact(changed, 3, 12_345)).toBe(false);
  });
});

describe('the rate of false positives', () => {
  it.each([0.05, 0.01, 0.001])('of a list that is made for %d is at most that', (wanted) => {
    const perBlock = 2000;
    const { probes, blocks } = filterSizeFor(perBlock * 256, wanted);
    const block = Buffer.alloc(BLOCK_BYTES);
    const keys = Math.floor((perBlock * 256) / blocks);
    for (let each = 0; each < keys; each++) addTo(block, lowOf(`listed ${each}`), probes);
    const expected = falsePositiveRateOf(block, probes);
    expect(expected).toBeLessThanOrEqual(wanted * 1.05);
    const tries = 100_000;
    let found = 0;
    for (let each = 0; each < tries; each++) if (isIn(block, lowOf(`other ${each}`), probes)) found++;
    // Six standard deviations of a binomial distribution.
    const tolerance = 6 * Math.sqrt((expected * (1 - expected)) / tries);
    expect(Math.abs(found / tries - expected)).toBeLessThan(tolerance);
  });

  it('cannot be had for more keys than a list can have', () => {
    expect(() => filterSizeFor(10_000_000_000, 0.001)).toThrow(RangeError);
  });
});

const lowOf = (text: string): number => createHash('sha1').update(text).digest().readUInt32BE(4);
