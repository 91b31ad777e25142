import type { CodeGuesses } from '../factors/code-guesses.js';
import type { FactorVerifier, UsedFactor } from '../factors/factor-verifier.js';
import { recoveryCodeNotice } from '../factors/recovery-code-notice.js';
import { AuthError } from '../kernel/auth-error.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { CurrentPassword } from '../login/current-password.js';
import type { SecurityNotices } from '../mail/security-notices.js';
import type { AuthenticationResponse } from '../passkeys/passkey-schema.js';
import type { PasskeyStepUp } from '../passkeys/passkey-step-up.js';
import type { SignedInUser } from '../sessions/session.js';
import { CODE_METHODS, PASSKEY_METHODS, PASSWORD_METHODS } from '../tokens/authentication-methods.js';
import { isRefused, type IdentityProof, type RefusedProof } from './identity-proof.js';

export interface IdentityProverDeps {
  readonly currentPassword: CurrentPassword;
  /** Undefined while passkeys are off. */
  readonly passkeyStepUp: PasskeyStepUp | undefined;
  /** Undefined while second factors are off. */
  readonly factorVerifier: FactorVerifier | undefined;
  readonly guesses: CodeGuesses;
  readonly notices: SecurityNotices;
}

type Proving = Promise<IdentityProof | RefusedProof>;

/** Verifies proofs of identity of signed-in users. It counts and raises nothing. */
export class IdentityProver {
  readonly #deps: IdentityProverDeps;

  constructor(deps: IdentityProverDeps) {
    this.#deps = deps;
  }

  async byPassword(caller: SignedInUser, password: string, client: ClientInfo): Proving {
    const passwordHash = await this.#deps.currentPassword.match(caller, password, client);
    if (passwordHash === undefined) return { refused: undefined };
    return { method: 'password', amr: PASSWORD_METHODS, acr: null, passwordHash, ceremonyBegunAt: null };
  }

  /** @throws AuthError `validation_error` while passkeys are off, `service_unavailable` without the ephemeral store. */
  async byPasskey(caller: SignedInUser, credential: AuthenticationResponse): Proving {
    const passkeys = this.#deps.passkeyStepUp;
    if (!passkeys) throw AuthError.validation('credential: is not accepted, because passkeys are off');
    const proof = await passkeys.verify(caller, credential);
    if (isRefused(proof)) return proof;
    const { passkeyId, begunAt } = proof;
    return {
      method: 'passkey',
      amr: PASSKEY_METHODS,
      acr: 'aal2',
      passwordHash: null,
      ceremonyBegunAt: begunAt,
      spend: async (trx) => {
        if (!(await passkeys.recordUse(proof, trx))) return { refused: 'counter' };
        await this.#deps.guesses.forget(caller.userId, trx);
        return { passkeyId };
      },
    };
  }

  /** The code is verified when it is spent. @throws AuthError `validation_error` while second factors are off. */
  byCode({ userId }: SignedInUser, code: string): IdentityProof {
    const factors = this.#factorsFor('code');
    return proofByCode('code', (trx) => factors.useCode(userId, code, trx));
  }

  /** The same with a recovery code, whose use is mailed to the user. */
  byRecoveryCode({ userId, user }: SignedInUser, code: string): IdentityProof {
    const factors = this.#factorsFor('recoveryCode');
    return proofByCode('recovery_code', async (trx) => {
      const used = await factors.useRecoveryCode(userId, code, trx);
      if (used) await this.#deps.notices.enqueue(trx, recoveryCodeNotice(user, used));
      return used;
    });
  }

  #factorsFor(field: string): FactorVerifier {
    const { factorVerifier } = this.#deps;
    if (factorVerifier) return factorVerifier;
    throw AuthError.validation(`${field}: is not accepted, because second factors are off`);
  }
}

const proofByCode = (
  method: 'code' | 'recovery_code',
  use: (trx: Parameters<NonNullable<IdentityProof['spend']>>[0]) => Promise<UsedFactor | undefined>,
): IdentityProof => ({
  method,
  amr: CODE_METHODS,
  acr: 'aal2',
  passwordHash: null,
  ceremonyBegunAt: null,
  spend: async (trx) => {
    const used = await use(trx);
    return used ? { ...used } : { refused: undefined };
  },
});
