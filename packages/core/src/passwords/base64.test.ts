import { describe, expect, it } from 'vitest';
import { base64Bytes, fromBase64, toBase64 } from './base64.js';

const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.split('');

describe('base64 without padding', () => {
  it('bytes of any number come back', () => {
    for (let length = 0; length <= 64; length += 1) {
      const bytes = Buffer.alloc(length, length + 127);
      expect(fromBase64(toBase64(bytes))).toEqual(bytes);
    }
  });

  it('the number of bytes is found without decoding, and stray bits are noticed', () => {
    const ends = CHARACTERS.flatMap((one) => CHARACTERS.map((other) => one + other));
    for (const start of ['', 'Q', 'QU', 'QUJD']) {
      const wrong = ends.filter((end) => base64Bytes(start + end) !== fromBase64(start + end)?.length);
      expect(wrong).toEqual([]);
    }
  });
});
