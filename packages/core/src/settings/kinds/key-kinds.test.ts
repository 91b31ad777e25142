import { type KeyObject, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signingKey, verificationKeys } from './key-kinds.js';
import type { SettingKind } from './setting-kind.js';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 });

const privatePem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const publicPem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const pkcs8 = privatePem(rsa.privateKey);
const spki = publicPem(rsa.publicKey);
const pkcs1 = rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
const encrypted = rsa.privateKey
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
  .toString();

const problemOf = (kind: SettingKind<unknown>, text: string) =>
  kind.schema
    .safeParse(text)
    .error?.issues.map((issue) => issue.message)
    .join();

describe('the signing key', () => {
  it.each([
    ['PKCS#8 PEM', pkcs8],
    ['PKCS#1 PEM', pkcs1],
    ['PEM with literal \\n', pkcs8.replaceAll('\n', '\\n')],
    ['PEM with literal \\r\\n', pkcs8.replaceAll('\n', '\\r\\n')],
    ['PEM with Windows line ends', pkcs8.replaceAll('\n', '\r\n')],
    ['base64 of the PEM', Buffer.from(pkcs8).toString('base64')],
    ['wrapped base64 of the PEM', Buffer.from(pkcs1).toString('base64').replace(/.{76}/g, '$&\n')],
  ])('is read from %s and becomes PKCS#8 PEM', (_, text) => {
    expect(signingKey.schema.parse(text)).toBe(pkcs8);
    expect(createPrivateKey(signingKey.schema.parse(text)).equals(rsa.privateKey)).toBe(true);
  });

  it.each([
    ['a key below 2048 bits', privatePem(weak.privateKey), 'an RSA key of 1024 bits'],
    ['an elliptic curve key', privatePem(curve.privateKey), 'not an RSA key'],
    ['an RSA-PSS key', privatePem(pss.privateKey), 'not an RSA key'],
    ['a public key', spki, 'a public key'],
    ['an encrypted key', encrypted, 'an encrypted key'],
    ['two keys', pkcs8 + pkcs1, 'more than one PEM block'],
    ['a damaged key', pkcs8.replace(/[A-Za-z]{20}/, ''), 'a PEM block that cannot be read as a key'],
    ['other text', 'a shared secret', 'no PEM block'],
  ])('is never %s', (_, text, problem) => {
    expect(problemOf(signingKey, text)).toBe(problem);
  });
});

describe('verification keys', () => {
  it.each([
    ['concatenated PEM', spki + pkcs1],
    ['PEM with other text between', `old:\n${spki}\nolder:\n${pkcs1}`],
    ['literal \\n', (spki + pkcs1).replaceAll('\n', '\\n')],
    ['base64', Buffer.from(spki + pkcs1).toString('base64')],
  ])('are read from %s, public and private', (_, text) => {
    expect(verificationKeys.schema.parse(text)).toBe(spki + pkcs8);
  });

  it('accept a PKCS#1 public key', () => {
    const text = rsa.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString();
    expect(createPublicKey(verificationKeys.schema.parse(text)).equals(rsa.publicKey)).toBe(true);
  });

  it.each([
    ['a short key', spki + publicPem(weak.publicKey), 'key 2: an RSA key of 1024 bits'],
    ['another algorithm', publicPem(curve.publicKey) + spki, 'key 1: not an RSA key'],
    ['text without a key', 'nothing', 'no PEM block'],
  ])('refuse %s and say which key it is', (_, text, problem) => {
    expect(problemOf(verificationKeys, text)).toBe(problem);
  });
});
