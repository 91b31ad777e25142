import { describe, expect, it } from 'vitest';
import { Decoys, type StoredHashKind } from './decoys.js';

const configured = { memoryKib: 19_456, iterations: 2, parallelism: 1 };
const NEW = '$argon2id$v=19$m=19456,t=2,p=1';
const OLD = '$argon2id$v=19$m=8192,t=1,p=1';
const RARE = '$argon2id$v=19$m=65536,t=3,p=4';
const EMAILS = Array.from({ length: 5000 }, (_, index) => `person-${index}@example.com`);

function decoysOf(kinds: StoredHashKind[], key = Buffer.alloc(32, 1)): Decoys {
  const decoys = new Decoys({ key, configured });
  decoys.replace(kinds);
  return decoys;
}

const kindsOf = (old: number, newer: number, rare: number): StoredHashKind[] => [
  { prefix: OLD, count: old },
  { prefix: NEW, count: newer },
  { prefix: RARE, count: rare },
];
const prefixOf = (hash: string): string => hash.split('$').slice(0, 4).join('$');
const drawn = (decoys: Decoys): string[] => EMAILS.map((email) => prefixOf(decoys.hashFor(email)));
const shareOf = (prefix: string, of: string[]): number =>
  of.filter((one) => one === prefix).length / of.length;

describe('decoys', () => {
  it('have the parameters of stored hashes, in their proportion', () => {
    const all = drawn(decoysOf(kindsOf(700, 200, 100)));
    expect(shareOf(OLD, all)).toBeCloseTo(0.7, 1);
    expect(shareOf(NEW, all)).toBeCloseTo(0.2, 1);
    expect(shareOf(RARE, all)).toBeCloseTo(0.1, 1);
  });

  it('have the schemes of other systems while hashes of them are stored', () => {
    const bcrypt = { prefix: '$2b$10', count: 600 };
    const wrapped = { prefix: '$wrapped$l=22$argon2id$v=19$m=19456,t=2,p=1$P$B', count: 400 };
    const hashes = EMAILS.map((email) => decoysOf([bcrypt, wrapped]).hashFor(email));
    const ofBcrypt = hashes.filter((hash) => /^\$2b\$10\$[./\w]{53}$/.test(hash));
    expect(ofBcrypt.length / hashes.length).toBeCloseTo(0.6, 1);
    expect(hashes.every((hash) => ofBcrypt.includes(hash) || hash.startsWith(wrapped.prefix))).toBe(true);
  });

  it('are always the same for one email', () => {
    const kinds = [
      { prefix: OLD, count: 1 },
      { prefix: NEW, count: 1 },
    ];
    expect(drawn(decoysOf(kinds))).toEqual(drawn(decoysOf(kinds.toReversed())));
  });

  it('cannot be foreseen without the key', () => {
    const kinds = [
      { prefix: OLD, count: 1 },
      { prefix: NEW, count: 1 },
    ];
    const [mine, theirs] = [drawn(decoysOf(kinds)), drawn(decoysOf(kinds, Buffer.alloc(32, 2)))];
    expect(mine.filter((prefix, index) => prefix === theirs[index]).length / mine.length).toBeCloseTo(0.5, 1);
  });

  it('never return to a kind that is being replaced', () => {
    const before = drawn(decoysOf(kindsOf(700, 200, 100)));
    const after = drawn(decoysOf(kindsOf(500, 400, 100)));
    const moved = EMAILS.map((_, index) => [before[index], after[index]]).filter(([from, to]) => from !== to);
    expect(moved.length).toBeGreaterThan(0);
    expect(moved.filter(([from, to]) => from === NEW || to === OLD)).toEqual([]);
  });

  it('have the configured parameters while no hash is stored that an engine can verify', () => {
    for (const kinds of [[], [{ prefix: '$2b$31', count: 9 }], [{ prefix: OLD, count: 0 }]]) {
      expect(new Set(drawn(decoysOf(kinds)))).toEqual(new Set([NEW]));
    }
  });
});
