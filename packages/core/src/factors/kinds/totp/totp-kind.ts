import type { ValueCipher } from '../../../encryption/value-cipher.js';
import type { Transaction } from '../../../storage/database.js';
import type { FactorKind, FactorUse } from '../../factor-kind.js';
import { typedCode } from '../../typed-code.js';
import { timeStepOf } from './totp-codes.js';
import { placeOfSecret } from './totp-factor.js';
import type { StoredSecret, TotpRepository } from './totp-repository.js';

/** Authenticator apps (RFC 6238). */
export class TotpKind implements FactorKind {
  readonly name = 'totp';
  readonly field = 'code';
  readonly stepUpMethod = 'code';
  readonly isGuessable = true;
  readonly isBackup = false;
  readonly #totp: TotpRepository;

  constructor(totp: TotpRepository) {
    this.#totp = totp;
  }

  async use(
    userId: string,
    code: string,
    cipher: ValueCipher,
    trx: Transaction,
  ): Promise<FactorUse | undefined> {
    const match = matchingSecret(userId, await this.#totp.secretsOf(userId, trx), code, cipher);
    if (!match || !(await this.#totp.use(match.id, userId, match.step, trx))) return undefined;
    return { factorId: match.id };
  }
}

/**
 * Returns the secret that a code is of, and the time step of the code; undefined for a wrong code and a step that was used before.
 * A secret that cannot be decrypted is skipped while another one can: the code may be of that one, and a wrong one must not
 * pass for an outage, which counts as no guess.
 * @throws AuthError `service_unavailable` when no secret can be decrypted.
 */
export function matchingSecret(
  userId: string,
  secrets: readonly StoredSecret[],
  code: string,
  cipher: ValueCipher,
): { id: string; step: number } | undefined {
  const typed = typedCode(code);
  const failures: unknown[] = [];
  for (const { id, secret, lastStep, now } of secrets) {
    try {
      const step = timeStepOf(cipher.decrypt(secret, placeOfSecret(userId, id)), typed, now);
      if (step !== undefined && (lastStep === null || step > lastStep)) return { id, step };
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0 && failures.length === secrets.length) throw failures[0];
  return undefined;
}
