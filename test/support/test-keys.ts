import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { inject } from 'vitest';

export interface TestKeyPair {
  /** PKCS #8. */
  privateKeyPem: string;
  /** SPKI. */
  publicKeyPem: string;
}

export async function generateTestKeyPair(): Promise<TestKeyPair> {
  const pair = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return { privateKeyPem: pair.privateKey, publicKeyPem: pair.publicKey };
}

/** RSA 2048 bit, the same in all test files of a run. */
export const testKeys = (): TestKeyPair => inject('testKeys')[0];

/** A second, different pair: for rotation, and for signatures that must not be accepted. */
export const otherTestKeys = (): TestKeyPair => inject('testKeys')[1];
