import type { AuditRepository } from '../audit/audit-repository.js';
import type { BeforeHookRunner } from '../hooks/before-hook-runner.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInputAlongside } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { Observer } from '../kernel/observer.js';
import { reportOutcome } from '../kernel/use-case-outcome.js';
import type { Outbox } from '../mail/outbox.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import { ipBucket } from '../rate-limits/ip-bucket.js';
import type { EmailVerification } from '../settings/email-verification.js';
import type { RegistrationApproval } from '../settings/registration-approval.js';
import type { Database, Transaction } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import type { AuthProvider, User } from '../users/user.js';
import type { ApprovalNotices } from './approval-notices.js';
import { registerInput, type RegisterInput, type Registration } from './login-schema.js';
import { assertAllowedDomain, type SignUpRules } from './sign-up-rules.js';

/** Initial status of a registered user, by who approves. None proves the mailbox by itself. */
const INITIAL_STATUS = {
  staff: { approvalStatus: 'PENDING', isActive: false },
  verified: { approvalStatus: 'PENDING', isActive: false },
  none: { approvalStatus: 'APPROVED', isActive: true },
} as const;

/** A user without a password, proved by another service. */
interface ProvedRegistration {
  id: string;
  email: string;
  fullName: string | null;
  authProvider: AuthProvider;
  /** True if that service has proved the mailbox, too. */
  isEmailVerified: boolean;
  /** Details of the audit row. */
  details: Record<string, unknown>;
}

interface RegistrationServiceDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly passwords: PasswordHasher;
  readonly policy: PasswordPolicy;
  readonly beforeHooks: BeforeHookRunner;
  readonly outbox: Outbox;
  readonly audit: AuditRepository;
  readonly approverNotices: ApprovalNotices;
  /** Creates the token that proves the mailbox, as part of the registration. */
  readonly verifications: {
    /** @returns the id of the token, for the mail with its link. */
    insert(userId: string, trx: Transaction): Promise<string>;
  };
  readonly observer: Observer;
}

/**
 * Registers users: staff approve or reject them, a mailed link approves them, or they are approved at once.
 */
export class RegistrationService {
  readonly #deps: RegistrationServiceDeps;
  readonly #options;

  constructor(
    deps: RegistrationServiceDeps,
    options: SignUpRules & {
      enabled: boolean;
      approval: RegistrationApproval;
      emailVerification: EmailVerification;
    },
  ) {
    this.#options = options;
    this.#deps = deps;
  }

  /** Throws unless registration is enabled. @throws AuthError `registration_disabled` */
  assertEnabled(): void {
    if (!this.#options.enabled) {
      throw new AuthError('registration_disabled', 'Registration is switched off on this server.');
    }
  }

  /**
   * Throws unless users with this address may create an account themselves.
   * @param email in its canonical form.
   * @throws AuthError `registration_disabled`; `forbidden`, reason `email_not_allowed`.
   */
  assertMaySignUp(email: string): void {
    this.assertEnabled();
    assertAllowedDomain(email, this.#options);
  }

  /**
   * Adds a user. If staff approve registrations, the user is pending and inactive, and mails announce it; if
   * the mailed link approves, the same until it is used; else the user may sign in at once, or after the proof of the
   * mailbox if that is required.
   * @throws AuthError `registration_disabled`, `validation_error` (also by the password policy), `conflict`; `forbidden`, reason
   * `email_not_allowed`, for an address of a domain that may not register.
   */
  register(input: RegisterInput, client: ClientInfo = unknownClient): Promise<Registration> {
    return reportOutcome(this.#register(input, client), (outcome) =>
      this.#deps.observer.registration(outcome),
    );
  }

  async #register(input: RegisterInput, client: ClientInfo): Promise<Registration> {
    this.assertEnabled();
    const bucket = ipBucket(client.ipAddress);
    this.#deps.passwords.assertCapacity(bucket);
    const { password, ...fields } = await checkInputAlongside(registerInput, input, () =>
      this.#deps.policy.faultsIn(input),
    );
    this.assertMaySignUp(fields.email);
    await this.#deps.policy.check(password, { email: fields.email });
    await this.#deps.beforeHooks.register({ ...fields }, client);
    const passwordHash = await this.#deps.passwords.hash(password, bucket);
    const { approval, emailVerification } = this.#options;
    await this.#deps.database.transaction(async (trx) => {
      const user = await this.#deps.users.insert(
        {
          ...fields,
          passwordHash,
          globalRole: 'NONE',
          ...INITIAL_STATUS[approval],
          isEmailVerified: false,
          legacyIds: {},
        },
        trx,
      );
      await this.#enqueueMails(user, { isProved: false }, trx);
      await this.#deps.audit.insert(
        {
          event: 'registration',
          outcome: 'success',
          actor: { kind: 'user', userId: user.id },
          subjectUserId: user.id,
          client,
          details: { approvalStatus: user.approvalStatus },
        },
        trx,
      );
    });
    const isUsable = approval === 'none' && emailVerification !== 'required';
    return { email: fields.email, status: isUsable ? 'approved' : 'pending' };
  }

  /**
   * Adds a user without a password, as part of a transaction. A proved mailbox needs no mail, and approves the registration where its
   * proof does.
   * @throws AuthError `conflict` when the email is taken.
   */
  async addProved(
    { details, isEmailVerified, ...fields }: ProvedRegistration,
    client: ClientInfo,
    trx: Transaction,
  ): Promise<User> {
    const { approval } = this.#options;
    const isApprovedByProof = approval === 'verified' && isEmailVerified;
    const user = await this.#deps.users.insert(
      {
        ...fields,
        ...INITIAL_STATUS[isApprovedByProof ? 'none' : approval],
        isEmailVerified,
        passwordHash: null,
        globalRole: 'NONE',
        legacyIds: {},
      },
      trx,
    );
    await this.#enqueueMails(user, { isProved: isEmailVerified }, trx);
    await this.#deps.audit.insert(
      {
        event: 'registration',
        outcome: 'success',
        actor: { kind: 'user', userId: user.id },
        subjectUserId: user.id,
        client,
        details: { ...details, approvalStatus: user.approvalStatus },
      },
      trx,
    );
    return user;
  }

  /**
   * Queues the mail to the registrant, and the notices to approvers. Approvers are notified when they can decide: if the
   * proof of the mailbox is required, that is after it; a user who is approved by the proof never concerns them.
   */
  async #enqueueMails(
    { id, email: recipient }: User,
    { isProved }: { isProved: boolean },
    trx: Transaction,
  ): Promise<void> {
    const { approval, emailVerification } = this.#options;
    const { outbox, verifications, approverNotices } = this.#deps;
    if (emailVerification !== 'off' && outbox.delivers && !isProved) {
      const payload = { verificationId: await verifications.insert(id, trx) };
      await outbox.enqueue(trx, { kind: 'email_verification', recipient, payload });
    } else if (approval === 'staff') {
      await outbox.enqueue(trx, { kind: 'pending_registration', recipient, payload: {} });
    }
    if (approval === 'staff' && (emailVerification !== 'required' || isProved))
      await approverNotices.enqueue(trx);
  }
}
