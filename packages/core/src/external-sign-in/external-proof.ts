import { flowInvalid } from '../identities/external-flow.js';
import type { ExternalIdentityRepository } from '../identities/external-identity-repository.js';
import type { ExternalIdentity, ProvedIdentity } from '../identities/external-identity.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { SignedInUser } from '../sessions/session.js';
import type { Transaction } from '../storage/database.js';
import { identityOf } from './external-accounts.js';
import type { ExternalFlows, FlowResponse } from './external-flows.js';

/** A proof by a provider that the user is the one of the session. */
interface ExternalProof {
  /** Undefined if the provider has proved another person, or one without an account. */
  known: ExternalIdentity | undefined;
  identity: ProvedIdentity;
  /** True if the sign-in there had several factors, and the connection is trusted to say so. */
  hadFactors: boolean;
}

/** Proves the identity of signed-in users by a provider that has asked them again. It counts and raises nothing. */
export class ExternalProofs {
  readonly #deps;

  constructor(deps: { readonly flows: ExternalFlows; readonly identities: ExternalIdentityRepository }) {
    this.#deps = deps;
  }

  /**
   * Ends a flow of the caller's session.
   * @throws AuthError as `ExternalFlows.end`.
   */
  async prove(caller: SignedInUser, response: FlowResponse, client: ClientInfo): Promise<ExternalProof> {
    const { sessionId, userId } = caller;
    const ended = await this.#deps.flows.end(response, { purposes: ['step-up'], sessionId }, client);
    if (ended.flow.userId !== userId) throw flowInvalid();
    const identity = identityOf(ended);
    const known = await this.#deps.identities.find(identity);
    const isOwn = known?.userId === userId;
    return { known: isOwn ? known : undefined, identity, hadFactors: ended.user.hadFactors };
  }

  /** Records the use, if the user still has the identity. @returns false, and nothing is written, if not. */
  recordUse(known: ExternalIdentity, identity: ProvedIdentity, trx: Transaction): Promise<boolean> {
    return this.#deps.identities.touch(known, identity, trx);
  }
}
