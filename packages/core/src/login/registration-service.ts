import type { AuditRepository } from '../audit/audit-repository.js';
import type { HookGate } from '../hooks/hook-gate.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { unobserved, type Observer } from '../kernel/observer.js';
import { withOutcomeTold } from '../kernel/outcome.js';
import type { Outbox } from '../mail/outbox.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import { ipBucket } from '../rate-limits/ip-bucket.js';
import type { RegistrationApproval } from '../settings/registration-approval.js';
import type { Database, Transaction } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import type { ApprovalNotices } from './approval-notices.js';
import { registerInput, type RegisterInput, type Registration } from './login-schema.js';

interface RegistrationOptions {
  enabled: boolean;
  approval: RegistrationApproval;
}

/** What a registration makes of somebody, by who approves. Neither proves the mailbox. */
const BEGINNINGS = {
  staff: { approvalStatus: 'PENDING', isActive: false },
  none: { approvalStatus: 'APPROVED', isActive: true },
} as const;

/** Registration by anybody: staff approve or reject it, or it is approved at once. */
export class RegistrationService {
  readonly #database: Database;
  readonly #users: UserRepository;
  readonly #passwords: PasswordHasher;
  readonly #policy: PasswordPolicy;
  readonly #gate: HookGate;
  readonly #outbox: Outbox;
  readonly #audit: AuditRepository;
  readonly #notices: ApprovalNotices;
  readonly #options: RegistrationOptions;
  readonly #observer: Observer;

  constructor(
    parts: {
      database: Database;
      users: UserRepository;
      passwords: PasswordHasher;
      policy: PasswordPolicy;
      gate: HookGate;
      outbox: Outbox;
      audit: AuditRepository;
      notices: ApprovalNotices;
      observer?: Observer | undefined;
    },
    options: RegistrationOptions,
  ) {
    this.#database = parts.database;
    this.#users = parts.users;
    this.#notices = parts.notices;
    this.#passwords = parts.passwords;
    this.#policy = parts.policy;
    this.#gate = parts.gate;
    this.#outbox = parts.outbox;
    this.#audit = parts.audit;
    this.#observer = parts.observer ?? unobserved;
    this.#options = options;
  }

  /** @throws AuthError `registration_disabled` unless registration is switched on. */
  assertEnabled(): void {
    if (!this.#options.enabled) {
      throw new AuthError('registration_disabled', 'Registration is switched off on this server.');
    }
  }

  /**
   * Adds a user. Where staff approve, they are pending and inactive, and mails say so; else they may sign in at once.
   * @throws AuthError `registration_disabled`, `validation_error` (also by the password policy), `conflict`.
   */
  register(input: RegisterInput, client: ClientInfo = unknownClient): Promise<Registration> {
    return withOutcomeTold(this.#register(input, client), (outcome) => this.#observer.registration(outcome));
  }

  async #register(input: RegisterInput, client: ClientInfo): Promise<Registration> {
    this.assertEnabled();
    const bucket = ipBucket(client.ipAddress);
    this.#passwords.assertRoom(bucket);
    const { password, ...fields } = checkInput(registerInput, input, 'body', () =>
      this.#policy.faultsIn(input),
    );
    this.#policy.check(password, { email: fields.email });
    await this.#gate.register({ ...fields }, client);
    const passwordHash = await this.#passwords.hash(password, bucket);
    const { approval } = this.#options;
    await this.#database.transaction(async (trx) => {
      const user = await this.#users.insert(
        {
          ...fields,
          passwordHash,
          globalRole: 'NONE',
          ...BEGINNINGS[approval],
          isEmailVerified: false,
          legacyIds: {},
        },
        trx,
      );
      if (approval === 'staff') await this.#tellOfWaiting(user.email, trx);
      await this.#audit.insert(
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
    this.#outbox.wake();
    return { email: fields.email, status: approval === 'staff' ? 'pending' : 'approved' };
  }

  async #tellOfWaiting(recipient: string, trx: Transaction): Promise<void> {
    await this.#outbox.enqueue(trx, { kind: 'pending_registration', recipient, payload: {} });
    await this.#notices.somebodyWaits(trx);
  }
}
