import type { AuditRepository } from '../audit/audit-repository.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput, checkInputAlongside } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { Observer } from '../kernel/observer.js';
import { digestOf } from '../kernel/secret.js';
import { reportOutcome } from '../kernel/use-case-outcome.js';
import type { PasswordSetter } from '../login/password-setter.js';
import type { Outbox } from '../mail/outbox.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import type { PasswordPolicy } from '../passwords/password-policy.js';
import type { AccountThrottle } from '../rate-limits/account-throttle.js';
import { ipBucket } from '../rate-limits/ip-bucket.js';
import type { StatusOk } from '../sessions/session-schema.js';
import type { Database } from '../storage/database.js';
import type { PasswordResetRepository } from '../users/password-reset-repository.js';
import type { UserRepository } from '../users/user-repository.js';
import {
  passwordResetConfirmInput,
  passwordResetRequestInput,
  type PasswordResetConfirm,
  type PasswordResetRequest,
} from './password-reset-schema.js';

interface PasswordResetServiceDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly resets: PasswordResetRepository;
  readonly passwords: PasswordHasher;
  readonly policy: PasswordPolicy;
  readonly setter: PasswordSetter;
  readonly throttle: AccountThrottle;
  readonly outbox: Outbox;
  readonly audit: AuditRepository;
  readonly observer: Observer;
}

/** Resets passwords by a link that is sent to the mailbox of the account. */
export class PasswordResetService {
  readonly #deps: PasswordResetServiceDeps;

  constructor(deps: PasswordResetServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Requests a reset mail. A known and an unknown email run the same statements, one look-up, one queued mail
   * and one audit row, so neither response nor time tells them apart; whether the mail has a recipient is
   * decided when it is due.
   * @throws AuthError `validation_error`, `not_implemented` (vendor).
   */
  request(input: PasswordResetRequest, client: ClientInfo = unknownClient): Promise<StatusOk> {
    return reportOutcome(this.#request(input, client), (outcome) =>
      this.#deps.observer.passwordReset('request', outcome),
    );
  }

  async #request(input: PasswordResetRequest, client: ClientInfo): Promise<StatusOk> {
    const { email, accountType } = checkInput(passwordResetRequestInput, input);
    if (accountType === 'vendor') {
      throw new AuthError('not_implemented', 'Vendor accounts have no password here.');
    }
    const user = await this.#deps.users.findByEmail(email);
    await this.#deps.database.transaction(async (trx) => {
      await this.#deps.outbox.enqueue(trx, {
        kind: 'password_reset',
        recipient: email,
        payload: { userId: user?.id ?? null, fullName: user?.fullName ?? null },
      });
      await this.#deps.audit.insert(
        {
          event: 'password_reset_requested',
          outcome: 'success',
          actor: { kind: 'anonymous' },
          subjectUserId: user?.id,
          client,
        },
        trx,
      );
    });
    return { status: 'ok' };
  }

  /**
   * Sets the new password and invalidates what the old one may have created: sessions, access tokens,
   * passkeys and outstanding links, and any wait after failed sign-ins; authenticator apps only with the first proof of the
   * mailbox. Approval and activity of the user
   * stay as they are. A password that breaks the policy leaves the token usable.
   * @throws AuthError `validation_error` for a token that is unknown, used or expired, and for the password.
   */
  confirm(input: PasswordResetConfirm, client: ClientInfo = unknownClient): Promise<StatusOk> {
    return reportOutcome(this.#confirm(input, client), (outcome) =>
      this.#deps.observer.passwordReset('confirm', outcome),
    );
  }

  async #confirm(input: PasswordResetConfirm, client: ClientInfo): Promise<StatusOk> {
    const bucket = ipBucket(client.ipAddress);
    this.#deps.passwords.assertCapacity(bucket);
    const { token, newPassword } = await checkInputAlongside(passwordResetConfirmInput, input, () =>
      this.#deps.policy.faultsIn(input, { field: 'newPassword' }),
    );
    const tokenDigest = digestOf(token);
    const found = await this.#deps.resets.findUsable(tokenDigest);
    if (!found) throw unusableToken();
    await this.#deps.policy.check(newPassword, { email: found.email, field: 'newPassword' });
    await this.#deps.setter.set({
      userId: found.userId,
      passwordHash: await this.#deps.passwords.hash(newPassword, bucket),
      // A person who knew the old password may have added passkeys.
      removePasskeys: true,
      reason: 'password_reset',
      event: 'password_reset_confirmed',
      actor: { kind: 'user', userId: found.userId },
      client,
      // The user's row is locked: of simultaneous confirmations the later ones find their token spent.
      precondition: async (_user, trx) => {
        if (!(await this.#deps.resets.spend(found, tokenDigest, trx))) throw unusableToken();
        // The link was mailed to the stored address.
        return this.#deps.users.markEmailVerified(found.userId, trx);
      },
    });
    await this.#deps.throttle.recordReset(found.email, client.ipAddress);
    return { status: 'ok' };
  }
}

const unusableToken = (): AuthError =>
  AuthError.validation('token: is unknown, used or expired; ask for a new mail', {
    reason: 'reset_token_invalid',
    fields: [{ pointer: '/token', reason: 'not_allowed', message: 'is unknown, used or expired' }],
  });
