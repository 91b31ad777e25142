import type { AuditEvent } from '../audit/audit-event.js';
import type { ValueCipher } from '../encryption/value-cipher.js';
import type { FactorName, StepUpMethod } from '../kernel/observer.js';
import type { SecurityNotice } from '../mail/security-notices.js';
import type { Transaction } from '../storage/database.js';
import type { User } from '../users/user.js';

/** What a code was worth, for the audit log. */
export interface FactorUse {
  /** The id of the authenticator app. */
  factorId?: string;
  /** The recovery codes that are left after this use. */
  codesLeft?: number;
}

/**
 * A kind of second factor that people prove by typing a code: all that sign-in, step-up and
 * policy must know of it. How it is set up and removed is its own.
 */
export interface FactorKind {
  readonly name: FactorName;
  /** The field of a request that holds its code. */
  readonly field: 'code' | 'recoveryCode';
  /** Its name among the methods of a step-up. */
  readonly stepUpMethod: Extract<StepUpMethod, 'code' | 'recovery_code'>;
  /** True for codes that are short enough to be guessed: wrong ones count for the account, and too many make it wait. */
  readonly isGuessable: boolean;
  /** True for a kind that only replaces another one: without that it is neither required nor accepted. */
  readonly isBackup: boolean;
  /**
   * Verifies and spends a code, within a transaction that has locked the row of the user.
   * @returns undefined for a wrong code and for one that was used before.
   * @throws AuthError `service_unavailable` when the code may be right but no key decrypts what it is compared with.
   */
  use(userId: string, code: string, cipher: ValueCipher, trx: Transaction): Promise<FactorUse | undefined>;
  /** The audit event of a use at a sign-in, beside that of the sign-in; missing for a kind that is used every day. */
  readonly usedAtSignIn?: AuditEvent['event'];
  /** Returns the mail that notifies a user of a use; missing for a kind that is used every day. */
  noticeOf?(user: Pick<User, 'email' | 'fullName'>, use: FactorUse): SecurityNotice;
}
