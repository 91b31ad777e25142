import type { ValueCipher } from '../encryption/value-cipher.js';
import {
  reencryptRecoveryCodes,
  type RecoveryCodeReencryptionDeps,
} from './kinds/recovery-code/recovery-code-reencryption.js';
import { reencryptApps } from './kinds/totp/totp-reencryption.js';
import type { TotpRepository } from './kinds/totp/totp-repository.js';
import type { Reencrypted } from './reencrypted.js';

/**
 * The result of encrypting secrets again. The secrets are those of authenticator apps, and the keys of sets of recovery codes.
 */
export interface ReencryptedFactors extends Reencrypted {
  /** Fingerprint of the first key. */
  keyId: string;
}

interface ReencryptionDeps extends RecoveryCodeReencryptionDeps {
  readonly totp: TotpRepository;
}

/**
 * Encrypts every secret that an older key has encrypted by the first key. Sign-ins go on, and an interrupted run is continued by
 * the next.
 */
export async function reencryptFactors(
  deps: ReencryptionDeps,
  cipher: ValueCipher,
  onProgress: (done: number) => void = () => undefined,
): Promise<ReencryptedFactors> {
  const apps = await reencryptApps(deps.totp, cipher, onProgress);
  const codes = await reencryptRecoveryCodes(deps, cipher, (done) => onProgress(apps.reencrypted + done));
  return {
    reencrypted: apps.reencrypted + codes.reencrypted,
    unreadable: apps.unreadable + codes.unreadable,
    keyId: cipher.keyId,
  };
}
