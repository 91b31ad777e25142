import type { OutboxEntry } from '../mail/mail-kind.js';
import type { User } from '../users/user.js';
import type { DecisionMail } from './user-change.js';

/** Returns the mail about the decision on a registration. @param user the user after the decision. */
export const decisionMail = (kind: DecisionMail, { email, isActive }: User): OutboxEntry =>
  kind === 'registration_approved'
    ? { kind, recipient: email, payload: { isActive } }
    : { kind, recipient: email, payload: {} };
