import { AuthError } from '../kernel/auth-error.js';
import type { EncryptedValue, ValueCipher } from './value-cipher.js';

/** Numbers of secrets that were to be encrypted by another key. */
export interface Reencrypted {
  /** Secrets that the first key encrypts now. */
  reencrypted: number;
  /** Secrets whose key was not given; they stay as they are. */
  unreadable: number;
}

/** An encrypted secret, and the row that it is bound to. */
interface StoredSecret {
  readonly id: string;
  readonly place: string;
  readonly secret: EncryptedValue;
}

/** A column of a table with encrypted secrets. */
export interface SecretColumn {
  /** Returns rows that another key has encrypted, from an id on. */
  ofOtherKeys(keyId: string, after: string, limit: number): Promise<StoredSecret[]>;
  /** Replaces the secret. @returns false if the row was removed or changed meanwhile. */
  replace(row: StoredSecret, next: EncryptedValue): Promise<boolean>;
}

const BATCH = 500;
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

/** Encrypts the secrets of a column by the first key. Each row is one statement. */
export async function reencryptColumn(
  column: SecretColumn,
  cipher: ValueCipher,
  onProgress: (done: number) => void,
): Promise<Reencrypted> {
  const result = { reencrypted: 0, unreadable: 0 };
  let after = BEFORE_ALL_IDS;
  for (;;) {
    const rows = await column.ofOtherKeys(cipher.keyId, after, BATCH);
    for (const row of rows) {
      const outcome = await reencrypt(column, cipher, row);
      if (outcome !== 'changed') result[outcome] += 1;
      after = row.id;
    }
    onProgress(result.reencrypted);
    if (rows.length < BATCH) return result;
  }
}

/** A row that was removed meanwhile, or that another run has changed, needs nothing. */
async function reencrypt(
  column: SecretColumn,
  cipher: ValueCipher,
  row: StoredSecret,
): Promise<'reencrypted' | 'unreadable' | 'changed'> {
  try {
    const next = cipher.encrypt(cipher.decrypt(row.secret, row.place), row.place);
    return (await column.replace(row, next)) ? 'reencrypted' : 'changed';
  } catch (error) {
    if (AuthError.is(error) && !cipher.keyIds.includes(row.secret.keyId)) return 'unreadable';
    throw error;
  }
}
