import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { calculateJwkThumbprint, importJWK } from 'jose';
import { describe, expect, it } from 'vitest';
import { otherTestKeys, testKeys } from '../../../../test/support/test-keys.js';
import { KeySet } from './key-set.js';
import { readRsaKey, readRsaKeys } from './signing-key.js';

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi'];

const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength }).privateKey;

describe('an RSA key', () => {
  it('is read from PKCS#8, PKCS#1 and public PEM with the same id', async () => {
    const key = rsa(2048);
    const forms = [
      key.export({ type: 'pkcs8', format: 'pem' }),
      key.export({ type: 'pkcs1', format: 'pem' }),
      createPublicKey(key).export({ type: 'spki', format: 'pem' }),
    ].map(String);
    const read = await Promise.all(forms.map((pem) => readRsaKey(pem)));
    expect(new Set(read.map(({ kid }) => kid)).size).toBe(1);
    expect(read.map(({ privateKey }) => privateKey !== undefined)).toEqual([true, true, false]);
  });

  it('is published by its public members, with the thumbprint of RFC 7638 as its id', async () => {
    const { jwk, kid } = await readRsaKey(testKeys().privateKeyPem);
    expect(Object.keys(jwk).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    expect(kid).toBe(
      await calculateJwkThumbprint(createPublicKey(testKeys().publicKeyPem).export({ format: 'jwk' })),
    );
    expect(jwk.kid).toBe(kid);
  });

  it('of less than 2048 bits is rejected', async () => {
    const pem = rsa(1024).export({ type: 'pkcs8', format: 'pem' }).toString();
    await expect(readRsaKey(pem)).rejects.toThrow(/2048 bits/);
  });

  it('cannot be a key of another kind', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    await expect(readRsaKey(pem)).rejects.toThrow(TypeError);
  });

  it('can be one of several in one text, which keep their order', async () => {
    const [first, second] = [testKeys().publicKeyPem, otherTestKeys().privateKeyPem];
    const keys = await readRsaKeys(`${first}\n\n${second}`);
    expect(keys.map(({ privateKey }) => privateKey !== undefined)).toEqual([false, true]);
    expect(await readRsaKeys('no key at all')).toEqual([]);
  });
});

describe('a key set', () => {
  const { privateKeyPem } = testKeys();
  const other = otherTestKeys();

  it('signs with one key and publishes it first', async () => {
    const keys = await KeySet.fromPem(privateKeyPem, other.publicKeyPem);
    const published = keys.toJwks().keys.map(({ kid }) => kid);
    expect(published[0]).toBe(keys.signingKeyId);
    expect(published).toHaveLength(2);
  });

  it('publishes nothing private, even of a further key whose private half it holds', async () => {
    const keys = await KeySet.fromPem(privateKeyPem, other.privateKeyPem);
    for (const jwk of keys.toJwks().keys) {
      for (const member of PRIVATE_MEMBERS) expect(jwk).not.toHaveProperty(member);
      expect(await importJWK({ ...jwk })).toMatchObject({ type: 'public' });
    }
  });

  it('finds the public half of its own keys and of no other', async () => {
    const keys = await KeySet.fromPem(privateKeyPem);
    expect(keys.find(keys.signingKeyId)?.type).toBe('public');
    expect(keys.find((await readRsaKey(other.publicKeyPem)).kid)).toBeUndefined();
    expect(keys.find('')).toBeUndefined();
    expect(keys.find('__proto__')).toBeUndefined();
  });

  it('contains the signing key once if it is also listed as a further key', async () => {
    const keys = await KeySet.fromPem(privateKeyPem, testKeys().publicKeyPem);
    expect(keys.toJwks().keys).toHaveLength(1);
    expect(keys.signingKey.type).toBe('private');
    expect(keys.privateKeys).toHaveLength(1);
  });

  it('returns every private key, the signing one first', async () => {
    expect((await KeySet.fromPem(privateKeyPem, other.publicKeyPem)).privateKeys).toHaveLength(1);
    const keys = await KeySet.fromPem(privateKeyPem, other.privateKeyPem);
    expect(keys.privateKeys).toHaveLength(2);
    expect(keys.privateKeys[0]?.equals(keys.signingKey)).toBe(true);
  });

  it('requires a private signing key', async () => {
    await expect(KeySet.fromPem(testKeys().publicKeyPem)).rejects.toThrow('must be a private key');
  });
});
