import { AuthError } from '../kernel/auth-error.js';
import type { SharedClock } from '../kernel/clock.js';
import type { SignedInUser } from '../sessions/session.js';
import type { Transaction } from '../storage/database.js';
import type { Ceremonies } from './ceremonies.js';
import { readClientData } from './client-data.js';
import type { PasskeyRepository } from './passkey-repository.js';
import type { AuthenticationResponse, PasskeyRequestOptions } from './passkey-schema.js';
import { isUserHandleOf, type VerifiedUse } from './passkey.js';
import { Refusal, type RefusalReason } from './refusal.js';
import type { RelyingParty } from './relying-party.js';

/** A verified assertion of one of the caller's passkeys. */
interface PasskeyProof {
  passkeyId: string;
  use: VerifiedUse;
  /** Time at which its ceremony began, in milliseconds since the epoch by the clock of the database. */
  begunAt: number;
}

/** Verifies that a signed-in user still has one of their passkeys. It counts and raises nothing. */
export class PasskeyStepUp {
  readonly #deps;

  constructor(deps: {
    readonly passkeys: PasskeyRepository;
    readonly ceremonies: Ceremonies;
    readonly relyingParty: RelyingParty;
    readonly sharedClock: SharedClock;
  }) {
    this.#deps = deps;
  }

  /**
   * Starts a ceremony, bound to the caller's session.
   * @throws AuthError `not_found` for a user without passkeys, `service_unavailable` without the ephemeral store.
   */
  async options({ userId, sessionId }: SignedInUser): Promise<PasskeyRequestOptions> {
    const own = await this.#deps.passkeys.credentialsOf(userId);
    if (own.length === 0) {
      throw new AuthError('not_found', 'You have no passkey. Use another way to confirm your identity.', {
        reason: 'passkey_not_found',
      });
    }
    const options = await this.#deps.relyingParty.requestOptions(own);
    const begunAt = await this.#deps.sharedClock.now();
    await this.#deps.ceremonies.begin('step-up', options.challenge, { userId, sessionId, begunAt });
    return options;
  }

  /**
   * Completes a ceremony of the caller's session.
   * @returns the proof, or the reason for which the response does not verify.
   * @throws AuthError `service_unavailable` without the ephemeral store.
   */
  async verify(
    caller: SignedInUser,
    credential: AuthenticationResponse,
  ): Promise<PasskeyProof | { refused: RefusalReason }> {
    try {
      return await this.#verified(caller, credential);
    } catch (error) {
      if (error instanceof Refusal) return { refused: error.reason };
      throw error;
    }
  }

  /** Records the use, if the counter has grown. @returns false, and nothing is written, when it has not. */
  recordUse({ passkeyId, use }: PasskeyProof, trx: Transaction): Promise<boolean> {
    return this.#deps.passkeys.recordUse(passkeyId, use, trx);
  }

  async #verified(
    { userId, sessionId }: SignedInUser,
    credential: AuthenticationResponse,
  ): Promise<PasskeyProof> {
    const { challenge } = readClientData(credential.response.clientDataJSON) ?? {};
    const starter =
      challenge === undefined ? undefined : await this.#deps.ceremonies.take('step-up', challenge);
    if (challenge === undefined || starter?.begunAt === undefined) throw new Refusal('ceremony');
    if (starter.userId !== userId || starter.sessionId !== sessionId) throw new Refusal('ceremony');
    const stored = await this.#deps.passkeys.findCredential(credential.id);
    if (stored?.owner.id !== userId) throw new Refusal('credential');
    const use = await this.#deps.relyingParty.verifyAssertion(credential, challenge, stored);
    // With a list of credentials, an authenticator may leave the handle out (section 7.2 step 6).
    const { userHandle } = credential.response;
    const isForeign = typeof userHandle === 'string' && !isUserHandleOf(userId, userHandle);
    if (isForeign) throw new Refusal('user_handle');
    if (use.deviceType !== stored.deviceType) throw new Refusal('backup_eligibility');
    return { passkeyId: stored.passkeyId, use, begunAt: starter.begunAt };
  }
}
