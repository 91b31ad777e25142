import type { ValueCipher } from '../../../encryption/value-cipher.js';
import { AuthError } from '../../../kernel/auth-error.js';
import type { Reencrypted } from '../../reencrypted.js';
import { placeOfSecret } from './totp-factor.js';
import type { EncryptedFactor, TotpRepository } from './totp-repository.js';

const BATCH = 500;
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

/** Encrypts the secrets of authenticator apps by the first key. Each row is one statement. */
export async function reencryptApps(
  totp: TotpRepository,
  cipher: ValueCipher,
  onProgress: (done: number) => void,
): Promise<Reencrypted> {
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
