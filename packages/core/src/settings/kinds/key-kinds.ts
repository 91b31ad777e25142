import { pemBlocks, pemOf, readKeyBlock, type KeyHalf } from '../../kernel/key-pem.js';
import { kindOf, Problem } from './setting-kind.js';

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

function readKey(block: string, accepted: readonly KeyHalf[]): string | Problem {
  const { half, key, faults } = readKeyBlock(block);
  if (!accepted.includes(half)) return new Problem(`a ${half} key`);
  return key === undefined || faults.length > 0 ? new Problem(faults.join(', ')) : pemOf(key);
}
