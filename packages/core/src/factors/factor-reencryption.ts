import type { ValueCipher } from '../encryption/value-cipher.js';
import { AuthError } from '../kernel/auth-error.js';
import type { Database } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import { reencryptRecoveryCodes } from './recovery-code-reencryption.js';
import type { RecoveryCodeRepository } from './recovery-code-repository.js';
import { placeOfSecret } from './totp-factor.js';
import type { EncryptedFactor, TotpRepository } from './totp-repository.js';

/**
 * The result of encrypting secrets again. The secrets are those of authenticator apps, and the keys of sets of recovery codes.
 */
export interface ReencryptedFactors {
  /** Secrets that the first key encrypts now. */
  reencrypted: number;
  /** Secrets whose key was not given; they stay as they are. */
  unreadable: number;
  /** Fingerprint of the first key. */
  keyId: string;
}

interface ReencryptionDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly totp: TotpRepository;
  readonly recoveryCodes: RecoveryCodeRepository;
}

const BATCH = 500;
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

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

/** Each row is one statement. */
async function reencryptApps(
  totp: TotpRepository,
  cipher: ValueCipher,
  onProgress: (done: number) => void,
): Promise<Omit<ReencryptedFactors, 'keyId'>> {
  const result = { reencrypted: 0, unreadable: 0 };
  let after = BEFORE_ALL_IDS;
  for (;;) {
    const factors = await totp.ofOtherKeys(cipher.keyId, after, BATCH);
    for (const factor of factors) {
      const outcome = await reencrypt(totp, cipher, factor);
      if (outcome !== 'changed') result[outcome] += 1;
      after = factor.id;
    }
    onProgress(result.reencrypted);
    if (factors.length < BATCH) return result;
  }
}

/** A row that was removed meanwhile, or that another run has changed, needs nothing. */
async function reencrypt(
  totp: TotpRepository,
  cipher: ValueCipher,
  factor: EncryptedFactor,
): Promise<'reencrypted' | 'unreadable' | 'changed'> {
  const place = placeOfSecret(factor.userId, factor.id);
  try {
    const next = cipher.encrypt(cipher.decrypt(factor.secret, place), place);
    return (await totp.reencrypt(factor, next)) ? 'reencrypted' : 'changed';
  } catch (error) {
    if (AuthError.is(error) && !cipher.keyIds.includes(factor.secret.keyId)) return 'unreadable';
    throw error;
  }
}
