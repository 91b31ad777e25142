import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { testKeys } from '../../../../test/support/test-keys.js';
import { inspectKeys } from './key-inspection.js';
import { readRsaKey } from './signing-key.js';

const rsa = (modulusLength: number, publicExponent = 0x10001) =>
  generateKeyPairSync('rsa', { modulusLength, publicExponent }).privateKey;
const pem = (key: { export: (options: { type: 'pkcs8'; format: 'pem' }) => string | Buffer }) =>
  key.export({ type: 'pkcs8', format: 'pem' }).toString();

describe('the inspection of keys', () => {
  it('returns the same id for both halves of a key, in any text format', async () => {
    const { privateKeyPem, publicKeyPem } = testKeys();
    const { kid } = await readRsaKey(publicKeyPem);
    const sound = { kind: 'RSA', bits: 2048, exponent: '65537', kid, faults: [] };
    const texts = [
      privateKeyPem,
      privateKeyPem.replaceAll('\n', '\\n'),
      Buffer.from(privateKeyPem).toString('base64'),
    ];
    for (const text of texts) expect(await inspectKeys(text)).toEqual([{ ...sound, half: 'private' }]);
    expect(await inspectKeys(publicKeyPem + privateKeyPem)).toEqual([
      { ...sound, half: 'public' },
      { ...sound, half: 'private' },
    ]);
  });

  it.each([
    ['a short key', pem(rsa(1024)), { kind: 'RSA', bits: 1024, faults: ['an RSA key of 1024 bits'] }],
    [
      'an exponent that is too small',
      pem(rsa(2048, 3)),
      { exponent: '3', faults: ['an RSA key with the public exponent 3'] },
    ],
    [
      'an elliptic curve',
      pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
      { kind: 'EC', bits: null, kid: expect.any(String) as string, faults: ['not an RSA key'] },
    ],
    [
      'RSA-PSS',
      pem(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey),
      { kind: 'RSA-PSS', kid: null, faults: ['not an RSA key'] },
    ],
    [
      'a passphrase',
      rsa(2048).export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }).toString(),
      { kind: 'unreadable', kid: null, faults: ['an encrypted key'] },
    ],
    [
      'damage',
      testKeys().privateKeyPem.replace(/[A-Za-z]{20}/, ''),
      { kind: 'unreadable', faults: ['a PEM block that cannot be read as a key'] },
    ],
  ])('reports %s', async (_what, text, expected) => {
    const [found] = await inspectKeys(text);
    expect(found).toMatchObject(expected);
  });

  it('returns nothing for a text without keys', async () => {
    expect(await inspectKeys('no key at all')).toEqual([]);
  });
});
