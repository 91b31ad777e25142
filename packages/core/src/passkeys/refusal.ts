/**
 * Reason for which a ceremony failed. Clients get one error for every response that does not verify; the
 * audit log names the reason, because a wrong setting and a copied authenticator look the same from outside.
 */
export type RefusalReason =
  /** Unknown, used, expired, of another purpose, or of another user or session. */
  | 'ceremony'
  /** Not one of the configured origins, or framed by another one. */
  | 'origin'
  /** No such credential. */
  | 'credential'
  /** Signature, flags, key, counter or form of the response. */
  | 'response'
  /** The user handle is not the owner's. */
  | 'user_handle'
  /** A device-bound credential that became a synced one, or the other way round. */
  | 'backup_eligibility'
  /** Another use of the credential was counted meanwhile, or it is gone. */
  | 'counter'
  /** The account or its session changed during the ceremony. */
  | 'status'
  /** The credential is registered already. */
  | 'duplicate'
  /** The account has as many passkeys as it may have. */
  | 'too_many';

/**
 * Thrown to abort a ceremony. It stays within this folder: the services turn it into an audit row and always
 * the same error.
 */
export class Refusal extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(reason);
    this.reason = reason;
  }
}
