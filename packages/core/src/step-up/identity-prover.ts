import type { ExternalProofs } from '../external-sign-in/external-proof.js';
import type { CodeGuesses } from '../factors/code-guesses.js';
import type { FactorKind } from '../factors/factor-kind.js';
import type { FactorVerifier } from '../factors/factor-verifier.js';
import { AuthError } from '../kernel/auth-error.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { CurrentPassword } from '../login/current-password.js';
import type { SecurityNotices } from '../mail/security-notices.js';
import type { AuthenticationResponse } from '../passkeys/passkey-schema.js';
import type { PasskeyStepUp } from '../passkeys/passkey-step-up.js';
import type { SignedInUser } from '../sessions/session.js';
import type { Transaction } from '../storage/database.js';
import {
  byPerson,
  CODE_METHODS,
  EXTERNAL_METHODS,
  PASSKEY_METHODS,
  PASSWORD_METHODS,
} from '../tokens/authentication-methods.js';
import type { TrustedDeviceRemoval } from '../trusted-devices/trusted-device-removal.js';
import { isRefused, type IdentityProof, type RefusedProof } from './identity-proof.js';
import type { StepUpInput } from './step-up-schema.js';

interface IdentityProverDeps {
  readonly currentPassword: CurrentPassword;
  /** Undefined while passkeys are off. */
  readonly passkeyStepUp: PasskeyStepUp | undefined;
  /** Undefined while no provider is configured. */
  readonly externalProofs: ExternalProofs | undefined;
  /** Undefined while second factors are off. */
  readonly factorVerifier: FactorVerifier | undefined;
  readonly guesses: CodeGuesses;
  readonly notices: SecurityNotices;
  readonly trustedDeviceRemoval: TrustedDeviceRemoval;
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

  /**
   * Ends a flow of the session at a provider, which has asked for the password again.
   * @throws AuthError `validation_error` while no provider is configured, and the errors of the end of a flow.
   */
  async byExternal(
    caller: SignedInUser,
    response: NonNullable<StepUpInput['external']>,
    client: ClientInfo,
  ): Proving {
    const { externalProofs } = this.#deps;
    if (!externalProofs)
      throw AuthError.validation('external: is not accepted, because no provider is configured');
    const { known, identity, hadFactors } = await externalProofs.prove(caller, response, client);
    if (!known) return { refused: 'identity' };
    return {
      method: 'external',
      amr: byPerson(hadFactors ? [...EXTERNAL_METHODS, 'mfa'] : EXTERNAL_METHODS),
      acr: hadFactors ? 'aal2' : null,
      passwordHash: null,
      ceremonyBegunAt: null,
      spend: async (trx) => {
        if (!(await externalProofs.recordUse(known, identity, trx))) return { refused: 'identity' };
        return { connectionId: known.connectionId, identityId: known.id };
      },
    };
  }

  /**
   * The code is verified when it is spent. A recovery code ends the trust in devices, as at a sign-in: who has lost a factor may have
   * lost a device.
   * @throws AuthError `validation_error` while second factors are off.
   */
  byFactor(
    kind: FactorKind,
    { userId, user }: SignedInUser,
    code: string,
    client: ClientInfo,
  ): IdentityProof {
    const { factorVerifier, notices } = this.#deps;
    if (!factorVerifier) {
      throw AuthError.validation(`${kind.field}: is not accepted, because second factors are off`);
    }
    return {
      method: kind.stepUpMethod,
      amr: CODE_METHODS,
      acr: 'aal2',
      passwordHash: null,
      ceremonyBegunAt: null,
      spend: async (trx) => {
        const used = await factorVerifier.use(kind.name, userId, code, trx);
        if (!used) return { refused: undefined };
        if (kind.isBackup) await this.#endTrust(userId, client, trx);
        if (kind.noticeOf) await notices.enqueue(trx, kind.noticeOf(user, used));
        return { ...used };
      },
    };
  }

  async #endTrust(userId: string, client: ClientInfo, trx: Transaction): Promise<void> {
    const ended = { userId, reason: 'recovery_code_used', actor: { kind: 'user', userId }, client } as const;
    await this.#deps.trustedDeviceRemoval.removeAllWithin(ended, trx);
  }
}
