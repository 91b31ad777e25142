import type { ValueCipher } from '../../../encryption/value-cipher.js';
import type { SecurityNotice } from '../../../mail/security-notices.js';
import type { Transaction } from '../../../storage/database.js';
import type { User } from '../../../users/user.js';
import type { FactorKind, FactorUse } from '../../factor-kind.js';
import { generateRecoveryCodeKey, keyedDigest, placeOfRecoveryCodes } from './recovery-code-key.js';
import type { RecoveryCodeRepository } from './recovery-code-repository.js';
import { digestOfRecoveryCode, generateRecoveryCodes } from './recovery-code.js';

/** Codes for those who have lost their authenticator app. */
export class RecoveryCodeKind implements FactorKind {
  readonly name = 'recovery_code';
  readonly field = 'recoveryCode';
  readonly stepUpMethod = 'recovery_code';
  readonly isGuessable = false;
  readonly isBackup = true;
  readonly usedAtSignIn = 'recovery_code_used';
  readonly #recoveryCodes: RecoveryCodeRepository;

  constructor(recoveryCodes: RecoveryCodeRepository) {
    this.#recoveryCodes = recoveryCodes;
  }

  async use(
    userId: string,
    code: string,
    cipher: ValueCipher,
    trx: Transaction,
  ): Promise<FactorUse | undefined> {
    const digest = digestOfRecoveryCode(code);
    if (!digest || !(await this.#spend(userId, digest, cipher, trx))) return undefined;
    return { codesLeft: await this.#recoveryCodes.countUnused(userId, trx) };
  }

  noticeOf(
    { email, fullName }: Pick<User, 'email' | 'fullName'>,
    { codesLeft = 0 }: FactorUse,
  ): SecurityNotice {
    return { kind: 'recovery_code_used', recipient: email, payload: { fullName, codesLeft } };
  }

  /** A code that is not found may be one of a set whose key cannot be decrypted: it is not wrong. */
  async #spend(userId: string, digest: Buffer, cipher: ValueCipher, trx: Transaction): Promise<boolean> {
    const digests: Buffer[] = [];
    const failures: unknown[] = [];
    for (const key of await this.#recoveryCodes.keysOf(userId, trx)) {
      try {
        digests.push(key ? keyedDigest(cipher.decrypt(key, placeOfRecoveryCodes(userId)), digest) : digest);
      } catch (error) {
        failures.push(error);
      }
    }
    if (await this.#recoveryCodes.use(userId, digests, trx)) return true;
    if (failures.length > 0) throw failures[0];
    return false;
  }
}

/** Replaces the recovery codes of a user, whose row the transaction has locked. @returns the new ones, which are stored nowhere. */
export async function replaceRecoveryCodes(
  { recoveryCodes, cipher }: { recoveryCodes: RecoveryCodeRepository; cipher: ValueCipher },
  userId: string,
  trx: Transaction,
): Promise<string[]> {
  const codes = generateRecoveryCodes();
  const secret = generateRecoveryCodeKey();
  const digests = codes.flatMap((code) => digestOfRecoveryCode(code) ?? []);
  const key = cipher.encrypt(secret, placeOfRecoveryCodes(userId));
  const keyed = digests.map((digest) => keyedDigest(secret, digest));
  await recoveryCodes.replaceAll(userId, { digests: keyed, key }, trx);
  return codes;
}
