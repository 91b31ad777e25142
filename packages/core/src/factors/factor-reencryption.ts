import { reencryptColumn, type Reencrypted, type SecretColumn } from '../encryption/reencryption.js';
import type { ValueCipher } from '../encryption/value-cipher.js';
import {
  reencryptRecoveryCodes,
  type RecoveryCodeReencryptionDeps,
} from './kinds/recovery-code/recovery-code-reencryption.js';

/**
 * The result of encrypting secrets again. The secrets are those of authenticator apps, and the keys of sets of recovery codes.
 */
export interface ReencryptedSecrets extends Reencrypted {
  /** Fingerprint of the first key. */
  keyId: string;
}

/**
 * Encrypts every secret that an older key has encrypted by the first key. Sign-ins go on, and an interrupted run is continued by
 * the next.
 */
export async function reencryptSecrets(
  deps: RecoveryCodeReencryptionDeps & {
    /** Every other column with secrets. */
    readonly secretColumns: readonly SecretColumn[];
  },
  cipher: ValueCipher,
  onProgress: (done: number) => void = () => undefined,
): Promise<ReencryptedSecrets> {
  const total = { reencrypted: 0, unreadable: 0, keyId: cipher.keyId };
  const progress = (done: number): void => onProgress(total.reencrypted + done);
  const add = ({ reencrypted, unreadable }: Reencrypted): void => {
    total.reencrypted += reencrypted;
    total.unreadable += unreadable;
  };
  for (const column of deps.secretColumns) add(await reencryptColumn(column, cipher, progress));
  add(await reencryptRecoveryCodes(deps, cipher, progress));
  return total;
}
