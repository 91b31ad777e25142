import type { AuditRepository } from '../audit/audit-repository.js';
import type { ExternalIdentityRepository } from '../identities/external-identity-repository.js';
import {
  MAX_IDENTITIES,
  type ExternalIdentity,
  type ProvedIdentity,
} from '../identities/external-identity.js';
import { AuthError } from '../kernel/auth-error.js';
import type { ClientInfo } from '../kernel/client-info.js';
import type { Transaction } from '../storage/database.js';
import type { TrustedDeviceRemoval } from '../trusted-devices/trusted-device-removal.js';

/** An identity to add, and its user. */
interface IdentityToAdd {
  /** Its user, whose row the transaction has locked. */
  userId: string;
  identity: ProvedIdentity;
  /** The session of a user who links it; undefined for a sign-in by the identity, which is its first use. */
  sessionId: string | undefined;
  client: ClientInfo;
  /** The error if the identity has a user already. */
  ifTaken: () => AuthError;
}

/** Adds identities: ways to sign in, as passkeys are. */
export class IdentityAddition {
  readonly #deps;

  constructor(deps: {
    readonly identities: ExternalIdentityRepository;
    readonly audit: AuditRepository;
    readonly trustedDeviceRemoval: TrustedDeviceRemoval;
  }) {
    this.#deps = deps;
  }

  /**
   * Adds an identity and ends the trust in the devices of its user. The transaction has locked the user.
   * @throws AuthError `conflict` if the identity has a user already, or the user has as many as allowed.
   */
  async addWithin(target: IdentityToAdd, trx: Transaction): Promise<ExternalIdentity> {
    const { userId, identity, sessionId, client, ifTaken } = target;
    const uses = { isUsed: sessionId === undefined, most: MAX_IDENTITIES };
    const added = await this.#deps.identities.insert(userId, identity, uses, trx);
    if (!added) throw (await this.#deps.identities.find(identity, trx)) ? ifTaken() : identityLimitReached();
    const actor = { kind: 'user', userId } as const;
    const details = {
      identityId: added.id,
      connectionId: added.connectionId,
      ...(sessionId === undefined && { by: 'sign_in' }),
    };
    await this.#deps.audit.insert(
      {
        event: 'external_identity_linked',
        outcome: 'success',
        ...{ actor, subjectUserId: userId, sessionId, client, details },
      },
      trx,
    );
    const ended = { userId, reason: 'identity_linked', actor, client };
    await this.#deps.trustedDeviceRemoval.removeAllWithin(ended, trx);
    return added;
  }
}

const identityLimitReached = (): AuthError =>
  AuthError.conflict(
    `You have ${MAX_IDENTITIES} linked accounts, as many as allowed. Unlink one first.`,
    'identity_limit_reached',
  );
