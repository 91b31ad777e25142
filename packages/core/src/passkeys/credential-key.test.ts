import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isSoundKey } from './credential-key.js';

const bytes = (text = ''): Uint8Array => new Uint8Array(Buffer.from(text, 'base64url'));
const jwkOf = ({ publicKey }: { publicKey: { export: (options: { format: 'jwk' }) => JsonWebKey } }) =>
  publicKey.export({ format: 'jwk' });

type Labels = [number, unknown][];

function es256(curve = 'P-256'): Labels {
  const { x, y } = jwkOf(generateKeyPairSync('ec', { namedCurve: curve }));
  return [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytes(x)],
    [-3, bytes(y)],
  ];
}

function eddsa(): Labels {
  const { x } = jwkOf(generateKeyPairSync('ed25519'));
  return [
    [1, 1],
    [3, -8],
    [-1, 6],
    [-2, bytes(x)],
  ];
}

function rs256(modulusLength = 2048, exponent?: string): Labels {
  const { n, e } = jwkOf(generateKeyPairSync('rsa', { modulusLength }));
  return [
    [1, 3],
    [3, -257],
    [-1, bytes(n)],
    [-2, bytes(exponent ?? e)],
  ];
}

const isSound = (key: Labels, ...changes: Labels): boolean => isSoundKey(new Map([...key, ...changes]));

describe('the key of a credential', () => {
  it.each([
    ['ES256', es256()],
    ['EdDSA', eddsa()],
    ['RS256 of 2,048 bits', rs256()],
    ['RS256 of 3,072 bits', rs256(3072)],
  ])('the key is accepted: %s', (_name, key) => {
    expect(isSound(key)).toBe(true);
  });

  it.each<[string, Labels, ...Labels]>([
    ['another algorithm', es256(), [3, -35]],
    ['no algorithm', es256(), [3, undefined]],
    ['an algorithm as text', es256(), [3, '-7']],
    ['an elliptic curve that says RS256', es256(), [3, -257]],
    ['an elliptic curve that says EdDSA', es256(), [3, -8]],
    ['Ed25519 that says ES256', eddsa(), [3, -7]],
    ['RSA that says ES256', rs256(), [3, -7]],
    ['another curve', es256('P-384')],
    ['another curve by its name', es256(), [-1, 2]],
    ['Ed448 by its name', eddsa(), [-1, 7]],
    ['a point off its curve', es256(), [-3, new Uint8Array(32).fill(1)]],
    ['the point at infinity', es256(), [-2, new Uint8Array(32)], [-3, new Uint8Array(32)]],
    ['a compressed point', es256(), [-3, true]],
    ['31 bytes of Ed25519', eddsa(), [-2, new Uint8Array(31)]],
    ['RSA of 1,024 bits', rs256(1024)],
    ['an RSA exponent of 1', rs256(2048, 'AQ')],
    ['an even RSA exponent', rs256(2048, 'AQAA')],
    ['no RSA exponent', rs256(), [-2, undefined]],
    ['no RSA modulus', rs256(), [-1, new Uint8Array()]],
  ])('the key is rejected: %s', (_name, key, ...changes) => {
    expect(isSound(key, ...changes)).toBe(false);
  });
});
