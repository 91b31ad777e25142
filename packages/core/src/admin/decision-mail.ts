import type { OutboxEntry } from '../mail/mail-kind.js';
import type { User } from '../users/user.js';
import type { DecisionMail } from './user-change.js';

/** Returns the mail that tells a user what was decided on their registration. @param user as they are from now on. */
export const decisionMail = (kind: DecisionMail, { email, isActive }: User): OutboxEntry =>
  kind === 'registration_approved'
    ? { kind, recipient: email, payload: { isActive } }
    : { kind, recipient: email, payload: {} };
