import type { EmailVerification } from '../settings/email-verification.js';
import type { RegistrationApproval } from '../settings/registration-approval.js';
import { maySignIn, type User } from '../users/user.js';

/** Mails that a user gets on request within an hour. The mail of the registration is not one of them. */
export const RESENT_PER_HOUR = 3;

/** The settings on which the effect of a proof depends. */
export interface ProofOptions {
  readonly approval: RegistrationApproval;
  readonly emailVerification: EmailVerification;
}

/** The effect of the link that proves a mailbox. */
interface ProofEffect {
  /** True if it approves the registration. */
  approves: boolean;
  /** True if the user may sign in after it, and may not before. */
  enables: boolean;
  /**
   * True if the link needs a password as well. The registrant may have typed a stranger's address, whose owner must not
   * vouch for a password that they do not know. Only where an administrator decides on registrations is the link enough.
   */
  needsPassword: boolean;
}

type ProvingUser = Pick<User, 'approvalStatus' | 'isActive' | 'globalRole' | 'emailVerifiedAt'>;

/**
 * Returns the effect of a link on a user in this state; undefined if links are invalid for them. They are for platform staff: a
 * link can set a password for a day, which is too much power over an account that got a role meanwhile. Such a user is approved
 * by the administrator who gives the role, and proves the mailbox by a reset.
 */
export function proofEffectOn(user: ProvingUser, options: ProofOptions): ProofEffect | undefined {
  const { approval, emailVerification } = options;
  if (emailVerification === 'off' || user.globalRole !== 'NONE') return undefined;
  if (user.approvalStatus === 'PENDING') {
    const approves = approval === 'verified';
    return { approves, enables: approves, needsPassword: approves };
  }
  if (!maySignIn(user)) return undefined;
  const enables = emailVerification === 'required' && user.emailVerifiedAt === null;
  return { approves: false, enables, needsPassword: enables || approval !== 'staff' };
}

/** Reports whether the owner of the mailbox may delete the registration: it is neither approved nor confirmed. */
export const isRejectable = (user: ProvingUser): boolean =>
  user.approvalStatus === 'PENDING' && user.globalRole === 'NONE' && user.emailVerifiedAt === null;
