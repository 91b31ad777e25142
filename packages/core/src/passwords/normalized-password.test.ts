import { afterEach, describe, expect, it, vi } from 'vitest';
import { normalizedPassword } from './normalized-password.js';
import { PasswordPolicy } from './password-policy.js';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a password of more than 1,024 bytes', () => {
  it.each([
    ['combining marks', '\u0323\u0301'.repeat(257)],
    ['letters', 'a'.repeat(1025)],
    ['astral characters', '🔑'.repeat(257)],
  ])('of %s is never normalized, neither to be verified nor to be set', async (_what, password) => {
    const normalize = vi.spyOn(String.prototype, 'normalize');
    expect(normalizedPassword(password)).toBeUndefined();
    const policy = new PasswordPolicy({ minLength: 8, blocklist: true });
    normalize.mockClear();
    await expect(policy.check(password, { email: 'ada@example.com' })).rejects.toThrow('at most 1024 bytes');
    expect(normalize).not.toHaveBeenCalled();
  });
});

describe('a password of 1,024 bytes', () => {
  it.each(['\u0323\u0301'.repeat(256), 'a'.repeat(1024), '🔑'.repeat(256)])('is normalized', (password) => {
    expect(normalizedPassword(password)).toBe(password.normalize('NFKC'));
  });
});
