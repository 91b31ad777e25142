import { readFile } from 'node:fs/promises';
import { AuthError } from '@latchkey/core/internal/kernel/auth-error';
import { pemBlocks, pemOf, readKeyBlock } from '@latchkey/core/internal/kernel/key-pem';
import { readRsaKey } from '@latchkey/core/internal/tokens/signing-key';
import type { RotatingKey } from './rotating-key.js';

/** A key read from a file, which contains neither role nor record. */
export type ReadKey = Omit<RotatingKey, 'role' | 'record'>;

/** Returns every key of a PEM text once. @throws AuthError `conflict` for a key that the service would reject. */
export async function readKeys(path: string, text: string): Promise<ReadKey[]> {
  const keys = await Promise.all(pemBlocks(text).map((block) => readOne(path, block)));
  // A key may occur with and without its private half. The private half takes precedence.
  const byId = new Map([...keys.filter(isPublic), ...keys.filter(isPrivate)].map((key) => [key.kid, key]));
  return [...byId.values()];
}

const isPrivate = (key: ReadKey): boolean => key.isPrivate;
const isPublic = (key: ReadKey): boolean => !key.isPrivate;

async function readOne(path: string, block: string): Promise<ReadKey> {
  const { half, key, faults } = readKeyBlock(block);
  if (key === undefined || faults.length > 0) {
    throw AuthError.conflict(`${path} contains ${faults.join(', ')}.`);
  }
  const { kid } = await readRsaKey(pemOf(key));
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  return { kid, bits, isPrivate: half === 'private', pem: pemOf(key) };
}

/** Returns the text of a file, or undefined if it does not exist. */
export async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
