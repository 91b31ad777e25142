import { readFile } from 'node:fs/promises';
import { AuthError } from '../kernel/auth-error.js';
import { pemBlocks, pemOf, readKeyBlock } from '../kernel/key-pem.js';
import { readRsaKey } from '../tokens/signing-key.js';
import type { RotatingKey } from './rotating-key.js';

/** A key of a file, without what the file does not tell. */
export type ReadKey = Omit<RotatingKey, 'role' | 'record'>;

/** Every key of a PEM text, once each. @throws AuthError `conflict` for a key that the service would refuse. */
export async function readKeys(path: string, text: string): Promise<ReadKey[]> {
  const keys = await Promise.all(pemBlocks(text).map((block) => readOne(path, block)));
  // One key may be there with and without its private half: the private one counts.
  const byId = new Map([...keys.filter(isPublic), ...keys.filter(isPrivate)].map((key) => [key.kid, key]));
  return [...byId.values()];
}

const isPrivate = (key: ReadKey): boolean => key.isPrivate;
const isPublic = (key: ReadKey): boolean => !key.isPrivate;

async function readOne(path: string, block: string): Promise<ReadKey> {
  const { half, key, faults } = readKeyBlock(block);
  if (key === undefined || faults.length > 0) {
    throw AuthError.conflict(`${path} holds ${faults.join(', ')}.`);
  }
  const { kid } = await readRsaKey(pemOf(key));
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  return { kid, bits, isPrivate: half === 'private', pem: pemOf(key) };
}

/** The text of a file; undefined when there is none. */
export async function readOrNothing(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
