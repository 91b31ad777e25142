import type { MailContent } from '../mail-content.js';
import type { Block } from './block.js';
import { layOut, type MessageContext } from './layout.js';

const REASON = 'this address was used for a registration';
const NOT_YOU = "If you didn't register, you can safely ignore it.";

/** Contains no name: a registration does not prove the ownership of the mailbox. */
export const registrationApprovedMail = {
  kind: 'registration_approved',
  compose({ isActive }: { isActive: boolean }, context: MessageContext): MailContent {
    const { name, signInUrl } = context.brand;
    const wayIn: Block = isActive
      ? { label: 'Sign in', url: signInUrl }
      : 'Your account is not active yet. You can sign in as soon as an administrator has activated it.';
    const parts = {
      subject: `Your registration with ${name} was approved`,
      name: null,
      reason: REASON,
      blocks: [`Your registration with ${name} was approved. Welcome!`, wayIn, NOT_YOU],
    };
    return layOut(parts, context);
  },
} as const;

/** Contains no name, and no reason, because the decision has none. */
export const registrationRejectedMail = {
  kind: 'registration_rejected',
  compose(_payload: Record<string, never>, context: MessageContext): MailContent {
    const { name } = context.brand;
    const parts = {
      subject: `Your registration with ${name} was not approved`,
      name: null,
      reason: REASON,
      blocks: [
        `Thank you for your interest in ${name}. Unfortunately, your registration was not approved, so you cannot sign in with it.`,
        'If you think that this is a mistake, please get in touch with the people you expected to work with.',
        NOT_YOU,
      ],
    };
    return layOut(parts, context);
  },
} as const;
