import { AuthError } from '../kernel/auth-error.js';
import type { EmailVerification } from '../settings/email-verification.js';
import { assertMaySignIn, type SignInState, type User } from './user.js';

/** Fields that decide whether a user may create a session. */
type NewSignInState = SignInState & Pick<User, 'emailVerifiedAt'>;

/**
 * Decides who may sign in. Sessions that exist already depend on approval and activity only (`assertMaySignIn`): a user
 * who is signed in stays so when the proof of mailboxes becomes required.
 */
export class SignInPolicy {
  /** True if only users with a proved mailbox may sign in. */
  readonly requiresVerifiedEmail: boolean;

  constructor(emailVerification: EmailVerification) {
    this.requiresVerifiedEmail = emailVerification === 'required';
  }

  /** Reports whether the user must prove the mailbox before the first sign-in. */
  awaitsProof(user: Pick<User, 'emailVerifiedAt'>): boolean {
    return this.requiresVerifiedEmail && user.emailVerifiedAt === null;
  }

  /**
   * Throws unless the user may sign in.
   * @throws AuthError `registration_rejected`, `account_inactive`, `email_unverified` or `pending_approval`. A user who
   * waits for approval and has not proved the mailbox gets `email_unverified`: that is their own next step.
   */
  assertMaySignIn(user: NewSignInState): void {
    if (user.approvalStatus !== 'PENDING') assertMaySignIn(user);
    if (this.awaitsProof(user)) {
      throw new AuthError(
        'email_unverified',
        'The email address of this account is not confirmed. Open the link in the mail, or request a new one.',
      );
    }
    assertMaySignIn(user);
  }
}
