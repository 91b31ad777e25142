import type { BeforeHookRunner } from '../hooks/before-hook-runner.js';
import type { ExternalFlowRepository } from '../identities/external-flow-repository.js';
import { flowInvalid } from '../identities/external-flow.js';
import type { ExternalIdentityRepository } from '../identities/external-identity-repository.js';
import type { ExternalIdentity, ProvedIdentity } from '../identities/external-identity.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { digestOf } from '../kernel/secret.js';
import { checkId } from '../kernel/uuid-input.js';
import type { SecurityNotices } from '../mail/security-notices.js';
import type { CredentialStepUp } from '../sessions/credential-step-up.js';
import type { StatusOk } from '../sessions/session-schema.js';
import type { SignedInUser } from '../sessions/session.js';
import type { Database, Transaction } from '../storage/database.js';
import { challengeOf } from './external-flows.js';
import type { ExternalProviders } from './external-providers.js';
import {
  linkExternalInput,
  toIdentityView,
  type ExternalIdentityView,
  type LinkExternal,
} from './external-schema.js';
import type { IdentityAddition } from './identity-addition.js';
import type { IdentityRemoval } from './identity-removal.js';

export interface LinkedIdentitiesDeps {
  readonly database: Database;
  readonly identities: ExternalIdentityRepository;
  readonly externalFlows: ExternalFlowRepository;
  readonly providers: ExternalProviders;
  readonly credentialStepUp: CredentialStepUp;
  readonly identityAddition: IdentityAddition;
  readonly identityRemoval: IdentityRemoval;
  readonly beforeHooks: BeforeHookRunner;
  readonly notices: SecurityNotices;
  /** True: users can sign in by passkeys. */
  readonly passkeysEnabled: boolean;
}

/** The identities of signed-in users: other services by which they sign in. */
export class LinkedIdentities {
  readonly #deps: LinkedIdentitiesDeps;

  constructor(deps: LinkedIdentitiesDeps) {
    this.#deps = deps;
  }

  /** Returns the identities of the caller, the oldest first. */
  async list({ userId }: SignedInUser): Promise<ExternalIdentityView[]> {
    return (await this.#deps.identities.list(userId)).map((identity) => this.#view(identity));
  }

  /**
   * Links the identity of a sign-in whose address belongs to the caller's account. The caller has signed in as before, at most 15 minutes
   * ago, with a second factor if they have one.
   * @throws AuthError `validation_error`, `unauthorized` for a token that is unknown, used or expired, of another client or user, or from
   * before a change of the account; `reauthentication_required`, `session_revoked`, `conflict`, the refusal of a hook, `forbidden` while
   * an actor acts for the user.
   */
  async link(
    caller: SignedInUser,
    input: LinkExternal,
    client: ClientInfo = unknownClient,
  ): Promise<ExternalIdentityView> {
    const { token, verifier } = checkInput(linkExternalInput, input);
    const { userId } = caller;
    await this.#deps.credentialStepUp.assert(caller, 'sign-in');
    const taken = { linkDigest: digestOf(token), challenge: challengeOf(verifier), userId };
    const connectionId = await this.#deps.externalFlows.connectionOfLink(taken.linkDigest);
    if (connectionId === undefined) throw flowInvalid();
    return this.#adding({ caller, client, connectionId }, async (trx) => {
      const identity = await this.#deps.externalFlows.takeLink(taken, trx);
      if (!identity) throw flowInvalid();
      return identity;
    });
  }

  /**
   * Links an identity that a provider has proved in a flow of the caller.
   * @throws AuthError as `link`.
   */
  add(caller: SignedInUser, identity: ProvedIdentity, client: ClientInfo): Promise<ExternalIdentityView> {
    const { connectionId } = identity;
    return this.#adding({ caller, client, connectionId }, () => Promise.resolve(identity));
  }

  /**
   * Removes an identity, and ends the sessions that it opened, also that of the caller. The caller must have signed in or stepped up at
   * most 15 minutes ago, with a second factor if they have one.
   * @throws AuthError `not_found`, `conflict` for the last way to sign in, `reauthentication_required`, `session_revoked`, `forbidden`
   * while an actor acts for the user.
   */
  async remove(caller: SignedInUser, id: string, client: ClientInfo = unknownClient): Promise<StatusOk> {
    id = checkId(id);
    await this.#deps.credentialStepUp.assert(caller, 'sign-in');
    await this.#deps.database.transaction(async (trx) => {
      const user = await this.#deps.credentialStepUp.lock(caller, 'sign-in', trx);
      const { userId, sessionId } = caller;
      const actor = { kind: 'user', userId } as const;
      const { providers, passkeysEnabled: passkeys } = this.#deps;
      const ways = { connectionIds: providers.ids, passkeys };
      const target = { id, user, actor, sessionId, client, ways, labels: providers.labels };
      await this.#deps.identityRemoval.removeWithin(target, trx);
    });
    return { status: 'ok' };
  }

  async #adding(
    { caller, client, connectionId }: { caller: SignedInUser; client: ClientInfo } & { connectionId: string },
    identityOf: (trx: Transaction) => Promise<ProvedIdentity>,
  ): Promise<ExternalIdentityView> {
    await this.#deps.credentialStepUp.assert(caller, 'sign-in');
    await this.#deps.beforeHooks.link(caller.user, { connectionId }, client);
    return this.#deps.database.transaction(async (trx) => {
      const { email: recipient, fullName } = await this.#deps.credentialStepUp.lock(caller, 'sign-in', trx);
      const identity = await identityOf(trx);
      const { userId, sessionId } = caller;
      const target = { userId, identity, sessionId, client, ifTaken: identityTaken };
      const added = await this.#deps.identityAddition.addWithin(target, trx);
      const view = this.#view(added);
      const payload = { fullName, connectionName: view.label ?? view.connectionId };
      await this.#deps.notices.enqueue(trx, { kind: 'identity_linked', recipient, payload });
      return view;
    });
  }

  #view(identity: ExternalIdentity): ExternalIdentityView {
    return toIdentityView(identity, this.#deps.providers.find(identity.connectionId)?.traits.label ?? null);
  }
}

const identityTaken = (): AuthError =>
  AuthError.conflict(
    'This account of the other service is linked already. Use another one.',
    'identity_taken',
  );
