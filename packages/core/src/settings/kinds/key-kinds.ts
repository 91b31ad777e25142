import type { KeyObject } from 'node:crypto';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { kindOf, Problem } from './setting-kind.js';

/** RFC 7518, section 3.3: RS256 keys have at least 2048 bits. */
const LEAST_BITS = 2048;

/** One RSA private key; the value is always PKCS#8 PEM. */
export const signingKey = kindOf(
  'one RSA private key of at least 2048 bits, PKCS#8 or PKCS#1 PEM; literal \\n and base64 of the PEM are accepted',
  (text) => {
    const blocks = pemBlocks(text);
    if (blocks.length > 1) return new Problem('more than one PEM block');
    return blocks[0] === undefined ? new Problem('no PEM block') : readKey(blocks[0], ['private']);
  },
);

/** Any number of RSA keys; the value is PEM with private keys as PKCS#8 and public keys as SPKI. */
export const verificationKeys = kindOf(
  'RSA keys of at least 2048 bits as concatenated PEM, public or private; literal \\n and base64 are accepted',
  (text) => {
    const blocks = pemBlocks(text);
    if (blocks.length === 0) return new Problem('no PEM block');
    let keys = '';
    for (const [index, block] of blocks.entries()) {
      const key = readKey(block, ['private', 'public']);
      if (key instanceof Problem) return new Problem(`key ${index + 1}: ${key.message}`);
      keys += key;
    }
    return keys;
  },
);

/** Secret stores and shells often keep a PEM on one line: with `\n` written out, or as base64. */
function pemBlocks(text: string): string[] {
  const plain = text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString('utf8');
  const lines = plain.replaceAll('\\r', '').replaceAll('\\n', '\n');
  return lines.match(/-----BEGIN [A-Z0-9 ]+-----[\s\S]*?-----END [A-Z0-9 ]+-----/g) ?? [];
}

function readKey(block: string, accepted: readonly ('private' | 'public')[]): string | Problem {
  const label = /^-----BEGIN ([A-Z0-9 ]+)-----/.exec(block)?.[1] ?? '';
  if (label === 'ENCRYPTED PRIVATE KEY') return new Problem('an encrypted key');
  const half = /^(?:RSA )?(PRIVATE|PUBLIC) KEY$/.exec(label)?.[1] === 'PUBLIC' ? 'public' : 'private';
  if (!accepted.includes(half)) return new Problem(`a ${half} key`);
  try {
    const key = half === 'private' ? createPrivateKey(block) : createPublicKey(block);
    return weaknessOf(key) ?? pemOf(key);
  } catch {
    // The library's message is left out: it may quote what it read.
    return new Problem('a PEM block that cannot be read as a key');
  }
}

function weaknessOf(key: KeyObject): Problem | undefined {
  if (key.asymmetricKeyType !== 'rsa') return new Problem('not an RSA key');
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  return bits < LEAST_BITS ? new Problem(`an RSA key of ${bits} bits`) : undefined;
}

function pemOf(key: KeyObject): string {
  const pem = key.export({ format: 'pem', type: key.type === 'private' ? 'pkcs8' : 'spki' });
  return pem.toString();
}
