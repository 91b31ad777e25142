import type { AuditRepository } from '../audit/audit-repository.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { digestOf } from '../kernel/secret.js';
import type { PasswordSetter } from '../login/password-setter.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import type { AccountThrottle } from '../rate-limits/account-throttle.js';
import { ipBucket } from '../rate-limits/ip-bucket.js';
import type { StatusOk } from '../sessions/session-schema.js';
import type { RegistrationApproval } from '../settings/registration-approval.js';
import type { Database, Transaction } from '../storage/database.js';
import type {
  EmailVerificationRepository,
  UsableVerification,
} from '../users/email-verification-repository.js';
import type { UserRepository } from '../users/user-repository.js';
import type { User } from '../users/user.js';
import { verifyEmailInput, type VerifyEmailInput } from './email-verification-schema.js';

/** A presented token. */
interface Proof {
  found: UsableVerification;
  tokenDigest: Buffer;
  client: ClientInfo;
}

interface EmailVerificationServiceDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly verifications: EmailVerificationRepository;
  readonly passwords: PasswordHasher;
  readonly policy: PasswordPolicy;
  readonly setter: PasswordSetter;
  readonly throttle: AccountThrottle;
  readonly audit: AuditRepository;
  /** The kind of approval; links work only for `verified`. */
  readonly approval: RegistrationApproval;
}

/**
 * Approves registrations by the link that was mailed to their address. The link alone approves nothing: the
 * registrant may have typed a stranger's address, whose owner must not enable a password that they do not
 * know.
 */
export class EmailVerificationService {
  readonly #deps: EmailVerificationServiceDeps;
  readonly #isOn: boolean;

  constructor(deps: EmailVerificationServiceDeps) {
    this.#deps = deps;
    this.#isOn = deps.approval === 'verified';
  }

  /**
   * Proves the mailbox and approves the registration. The password chosen at registration stays; any other
   * becomes the new password, as by a reset. One that breaks the policy leaves the token usable.
   * @throws AuthError `validation_error` for a token that is unknown, used or expired, or whose registration was decided
   * against, and for the password.
   */
  async verify(input: VerifyEmailInput, client: ClientInfo = unknownClient): Promise<StatusOk> {
    const bucket = ipBucket(client.ipAddress);
    this.#deps.passwords.assertCapacity(bucket);
    const { token, password } = checkInput(verifyEmailInput, input, 'body', () =>
      this.#deps.policy.faultsIn(input),
    );
    const tokenDigest = digestOf(token);
    const found = this.#isOn ? await this.#deps.verifications.findUsable(tokenDigest) : undefined;
    if (!found) throw unusableToken();
    const proof = { found, tokenDigest, client };
    if (await this.#isCurrent(found.userId, password, bucket)) await this.#approve(proof);
    else await this.#approveWith(password, bucket, proof);
    return { status: 'ok' };
  }

  async #isCurrent(userId: string, password: string, bucket: string): Promise<boolean> {
    const hash = (await this.#deps.users.findWithPassword(userId))?.passwordHash;
    return hash ? this.#deps.passwords.verify(hash, password, bucket) : false;
  }

  /**
   * Approves without a new password. Setting a password always revokes the token, so if the token is still
   * valid, the password that was just confirmed is still the current one.
   */
  async #approve(proof: Proof): Promise<void> {
    const { userId } = proof.found;
    await this.#deps.database.transaction(async (trx) => {
      const user = (await this.#deps.users.lock([userId], trx)).get(userId);
      if (!user) throw unusableToken();
      await this.#prove(user, proof, trx);
    });
  }

  async #approveWith(password: string, bucket: string, proof: Proof): Promise<void> {
    const { found, client } = proof;
    this.#deps.policy.check(password, { email: found.email });
    await this.#deps.setter.set({
      userId: found.userId,
      passwordHash: await this.#deps.passwords.hash(password, bucket),
      // Staff may have approved meanwhile, and a person who knew the old password may have added passkeys.
      removePasskeys: true,
      reason: 'password_changed',
      event: 'password_changed',
      actor: { kind: 'user', userId: found.userId },
      client,
      precondition: (user, trx) => this.#prove(user, proof, trx),
    });
    await this.#deps.throttle.recordReset(found.email, client.ipAddress);
  }

  /**
   * Spends the token under the lock of the user's row: of simultaneous proofs the later ones find their token
   * spent.
   */
  async #prove(user: User, { found, tokenDigest, client }: Proof, trx: Transaction): Promise<void> {
    if (!(await this.#deps.verifications.prove(found, tokenDigest, trx))) throw unusableToken();
    const about = {
      outcome: 'success',
      actor: { kind: 'user', userId: user.id },
      subjectUserId: user.id,
      client,
    } as const;
    await this.#deps.audit.insert({ ...about, event: 'email_verified' }, trx);
    if (user.approvalStatus !== 'PENDING') return;
    const details = { by: 'email_verification', approvalStatus: 'APPROVED', isActive: true };
    await this.#deps.audit.insert({ ...about, event: 'user_approved', details }, trx);
  }
}

const unusableToken = (): AuthError =>
  AuthError.validation('token: is unknown, used or expired, or the registration was decided on', {
    reason: 'verification_token_invalid',
    fields: [{ pointer: '/token', reason: 'not_allowed', message: 'is unknown, used or expired' }],
  });
