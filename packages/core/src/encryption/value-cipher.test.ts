import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ValueCipher } from './value-cipher.js';

const SECRET = Buffer.from('12345678901234567890');
const unavailable = expect.objectContaining({ code: 'service_unavailable' }) as unknown;

describe('an encrypted value', () => {
  it('an encrypted value is read by its key at its place, and looks different each time', () => {
    const cipher = new ValueCipher([randomBytes(32)]);
    const [first, second] = [cipher.encrypt(SECRET, 'a'), cipher.encrypt(SECRET, 'a')];
    expect(cipher.decrypt(first, 'a')).toEqual(SECRET);
    expect(cipher.decrypt(second, 'a')).toEqual(SECRET);
    expect(first.bytes.equals(second.bytes)).toBe(false);
    expect(first.bytes.includes(SECRET)).toBe(false);
  });

  it('an encrypted value cannot be read at another place', () => {
    const cipher = new ValueCipher([randomBytes(32)]);
    const value = cipher.encrypt(SECRET, 'a');
    expect(() => cipher.decrypt(value, 'b')).toThrow(unavailable);
  });

  it('an encrypted value with a changed bit cannot be read', () => {
    const cipher = new ValueCipher([randomBytes(32)]);
    const { keyId, bytes } = cipher.encrypt(SECRET, 'a');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const damaged = Buffer.from(bytes);
      damaged.writeUInt8(damaged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(() => cipher.decrypt({ keyId, bytes: damaged }, 'a')).toThrow(unavailable);
    }
  });

  it.each([0, 1, 12, 27])('an encrypted value of %i bytes cannot be read', (length) => {
    const cipher = new ValueCipher([randomBytes(32)]);
    const { keyId, bytes } = cipher.encrypt(SECRET, 'a');
    expect(() => cipher.decrypt({ keyId, bytes: bytes.subarray(0, length) }, 'a')).toThrow(unavailable);
  });

  it('an older key decrypts and never encrypts', () => {
    const [older, newer] = [randomBytes(32), randomBytes(32)];
    const value = new ValueCipher([older]).encrypt(SECRET, 'a');
    const both = new ValueCipher([newer, older]);
    expect(both.decrypt(value, 'a')).toEqual(SECRET);
    expect(both.encrypt(SECRET, 'a').keyId).toBe(new ValueCipher([newer]).keyId);
    expect(both.keyIds).toEqual([new ValueCipher([newer]).keyId, value.keyId]);
  });

  it('a value whose key is not configured cannot be read', () => {
    const value = new ValueCipher([randomBytes(32)]).encrypt(SECRET, 'a');
    expect(() => new ValueCipher([randomBytes(32)]).decrypt(value, 'a')).toThrow(unavailable);
  });

  it('a cipher without a key is a mistake of the wiring', () => {
    expect(() => new ValueCipher([])).toThrow(TypeError);
  });
});
