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
import type { Database } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import { registerInput, type RegisterInput, type Registration } from './login-schema.js';

/** Registration by anybody: it leaves a pending user whom staff approve or reject. */
export class RegistrationService {
  readonly #database: Database;
  readonly #users: UserRepository;
  readonly #passwords: PasswordHasher;
  readonly #policy: PasswordPolicy;
  readonly #gate: HookGate;
  readonly #outbox: Outbox;
  readonly #audit: AuditRepository;
  readonly #enabled: boolean;
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
      observer?: Observer | undefined;
    },
    options: { enabled: boolean },
  ) {
    this.#database = parts.database;
    this.#users = parts.users;
    this.#passwords = parts.passwords;
    this.#policy = parts.policy;
    this.#gate = parts.gate;
    this.#outbox = parts.outbox;
    this.#audit = parts.audit;
    this.#observer = parts.observer ?? unobserved;
    this.#enabled = options.enabled;
  }

  /** @throws AuthError `registration_disabled` unless registration is switched on. */
  assertEnabled(): void {
    if (!this.#enabled) {
      throw new AuthError('registration_disabled', 'Registration is switched off on this server.');
    }
  }

  /**
   * Adds a pending, inactive user and queues the mail that says so.
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
    await this.#database.transaction(async (trx) => {
      const user = await this.#users.insert(
        {
          ...fields,
          passwordHash,
          globalRole: 'NONE',
          approvalStatus: 'PENDING',
          isActive: false,
          isEmailVerified: false,
          legacyIds: {},
        },
        trx,
      );
      await this.#outbox.enqueue(trx, {
        kind: 'pending_registration',
        recipient: user.email,
        payload: {},
      });
      await this.#audit.insert(
        {
          event: 'registration',
          outcome: 'success',
          actor: { kind: 'user', userId: user.id },
          subjectUserId: user.id,
          client,
        },
        trx,
      );
    });
    this.#outbox.wake();
    return { email: fields.email, status: 'pending' };
  }
}
