import { pemBlocks, pemOf, readKeyBlock, type KeyHalf } from '../../kernel/key-pem.js';
import { kindOf, Problem, readList } from './setting-kind.js';

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

/** AES-256 keys; the value is their bytes. */
export const encryptionKeys = kindOf(
  'one key, or several separated by commas, each 32 bytes as base64',
  (text) => {
    const keys = readList(text, readEncryptionKey);
    if (keys instanceof Problem) return keys;
    const distinct = new Set(keys.map((key) => key.toString('base64')));
    return distinct.size === keys.length ? keys : new Problem('the same key twice');
  },
);

const ENCRYPTION_KEY_BYTES = 32;

/** Accepts both alphabets of base64, with and without padding, and nothing that a decoder would skip. */
function readEncryptionKey(text: string): Buffer | Problem {
  const digits = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  const key = Buffer.from(digits, 'base64');
  if (key.toString('base64').replace(/=+$/, '') !== digits) return new Problem('not base64');
  return key.length === ENCRYPTION_KEY_BYTES ? key : new Problem(`${key.length} bytes instead of 32`);
}

function readKey(block: string, accepted: readonly KeyHalf[]): string | Problem {
  const { half, key, faults } = readKeyBlock(block);
  if (!accepted.includes(half)) return new Problem(`a ${half} key`);
  return key === undefined || faults.length > 0 ? new Problem(faults.join(', ')) : pemOf(key);
}
