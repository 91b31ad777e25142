import { parse } from '@otplib/uri';
import { describe, expect, it } from 'vitest';
import { generateTotpSecret, otpauthUri, timeStepOf, totpSecretText } from './totp-codes.js';

const RFC_SECRET = Buffer.from('12345678901234567890');
const STEP = 30;

/** The SHA-1 vectors of RFC 6238, appendix B: time, and the last six of the eight digits. */
const VECTORS: [number, string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];

describe('a code of an authenticator app', () => {
  it.each(VECTORS)('the vector of RFC 6238 at %i seconds is accepted', (seconds, code) => {
    expect(timeStepOf(RFC_SECRET, code, seconds)).toBe(Math.floor(seconds / STEP));
  });

  it.each([
    [-2, undefined],
    [-1, 37_037_037],
    [0, 37_037_037],
    [1, 37_037_037],
    [2, undefined],
  ])('a code that is checked %i steps later belongs to step %s', (steps, expected) => {
    expect(timeStepOf(RFC_SECRET, '050471', 1_111_111_111 + steps * STEP)).toBe(expected);
  });

  it.each(['', '05047', '0504711', '50471', '050472', '05047a', '０５０４７１', '050471\n', '-50471'])(
    'the code %j is rejected',
    (code) => {
      expect(timeStepOf(RFC_SECRET, code, 1_111_111_111)).toBeUndefined();
    },
  );

  it('a new secret has 160 bits and is random', () => {
    const secrets = Array.from({ length: 50 }, generateTotpSecret);
    expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(50);
    expect(secrets.every((secret) => secret.length === 20)).toBe(true);
  });
});

describe('the address of an authenticator app', () => {
  it.each([
    ['Latchkey', 'ann@example.com'],
    ['Müller & Söhne? Konto', 'ann+a/b&c=d@example.com'],
  ])('another library reads issuer, account and parameters from it: %s', (issuer, account) => {
    const secret = generateTotpSecret();
    const read = parse(otpauthUri(secret, { issuer, account }));
    expect(read).toMatchObject({ type: 'totp', params: { secret: totpSecretText(secret), issuer } });
    expect(read.params).toMatchObject({ algorithm: 'sha1', digits: 6, period: 30 });
    expect(read.label).toBe(`${issuer}:${account}`);
  });

  it.each([
    ['Acme: Portal', 'Acme Portal'],
    ['Acme:Portal', 'Acme Portal'],
    [':Acme：', 'Acme'],
  ])('the issuer %s has no colon, since readers split at the first one', (issuer, read) => {
    const uri = otpauthUri(generateTotpSecret(), { issuer, account: 'ann:x@example.com' });
    const { pathname, searchParams } = new URL(uri);
    expect(searchParams.get('issuer')).toBe(read);
    expect(decodeURIComponent(pathname).split(':')).toHaveLength(2);
    expect(decodeURIComponent(pathname)).toContain(`${read}:ann x@example.com`);
  });
});
