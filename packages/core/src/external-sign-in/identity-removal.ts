import type { AuditRepository } from '../audit/audit-repository.js';
import type { ExternalIdentityRepository, OfferedWays } from '../identities/external-identity-repository.js';
import type { ExternalIdentity } from '../identities/external-identity.js';
import type { Actor } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { SecurityNotices } from '../mail/security-notices.js';
import type { SessionRevoker } from '../sessions/session-revoker.js';
import type { Transaction } from '../storage/database.js';
import type { TrustedDeviceRemoval } from '../trusted-devices/trusted-device-removal.js';
import type { UserRepository } from '../users/user-repository.js';
import type { User } from '../users/user.js';

/** The error for an identity that does not exist, or belongs to another user. */
const identityNotFound = (): AuthError => AuthError.notFound('The linked account', 'identity_not_found');

interface IdentityRemovalDeps {
  readonly users: UserRepository;
  readonly identities: ExternalIdentityRepository;
  readonly sessionRevoker: SessionRevoker;
  readonly audit: AuditRepository;
  readonly trustedDeviceRemoval: TrustedDeviceRemoval;
  readonly notices: SecurityNotices;
}

/** An identity to remove, and who removes it. */
interface IdentityToRemove {
  id: string;
  /** Its user, whose row the transaction has locked. */
  user: Pick<User, 'id' | 'email' | 'fullName'>;
  actor: Actor;
  /** The session of a user who removes their own. */
  sessionId?: string;
  client: ClientInfo;
  /** The ways to sign in that remain usable. */
  ways: OfferedWays;
  /** The names of connections, by their ids. */
  labels: ReadonlyMap<string, string>;
}

/** Removes identities, with all that ends with them. */
export class IdentityRemoval {
  readonly #deps: IdentityRemovalDeps;

  constructor(deps: IdentityRemovalDeps) {
    this.#deps = deps;
  }

  /**
   * Removes an identity, ends the sessions that it opened, and notifies its user. The transaction has locked the user.
   * @returns the number of active sessions that ended.
   * @throws AuthError `not_found`; `conflict` for the last way to sign in.
   */
  async removeWithin(target: IdentityToRemove, trx: Transaction): Promise<number> {
    const { id, user, ways, labels } = target;
    // Sign-ins by this identity that are not complete create no session any more.
    await this.#deps.users.raiseFactorVersion(user.id, trx);
    const removed = await this.#deps.identities.remove(id, user.id, trx);
    if (!removed) throw identityNotFound();
    if (!(await this.#deps.identities.hasOtherWayIn(removed, ways, trx)))
      throw lastSignInMethod(target.actor);
    await this.#record(removed, target, trx);
    const { actor, client } = target;
    const ended = { userId: user.id, reason: 'identity_unlinked', actor, client };
    await this.#deps.trustedDeviceRemoval.removeAllWithin(ended, trx);
    const connectionName = labels.get(removed.connectionId) ?? removed.connectionId;
    await this.#deps.notices.enqueue(trx, {
      kind: 'identity_unlinked',
      recipient: user.email,
      payload: { fullName: user.fullName, connectionName },
    });
    return this.#endSessions(removed, target, trx);
  }

  async #record(
    { id: identityId, connectionId, userId }: ExternalIdentity,
    { actor, sessionId, client }: IdentityToRemove,
    trx: Transaction,
  ): Promise<void> {
    await this.#deps.audit.insert(
      {
        event: 'external_identity_unlinked',
        outcome: 'success',
        actor,
        subjectUserId: userId,
        sessionId,
        client,
        details: { identityId, connectionId },
      },
      trx,
    );
  }

  #endSessions(
    { id: identityId, userId }: ExternalIdentity,
    { actor, client }: IdentityToRemove,
    trx: Transaction,
  ): Promise<number> {
    return this.#deps.sessionRevoker.revokeOfIdentityWithin(
      {
        ...{ userId, identityId, providerSessionId: null, client, actor },
        reason: 'identity_unlinked',
        event: 'sessions_revoked',
      },
      trx,
    );
  }
}

const lastSignInMethod = ({ kind }: Actor): AuthError =>
  AuthError.conflict(
    kind === 'user'
      ? 'This is your only way to sign in. Set a password or link another account first.'
      : 'This is the only way in which the user can sign in. Set a password first.',
    'last_sign_in_method',
  );
