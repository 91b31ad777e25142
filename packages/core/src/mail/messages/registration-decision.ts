import type { MailContent } from '../mail-content.js';
import type { Block } from './block.js';
import { layOut } from './layout.js';
import { factsOf, type MessageContext } from './message-context.js';

/** Contains no name: a registration does not prove the ownership of the mailbox. */
export const registrationApprovedMail = {
  kind: 'registration_approved',
  compose({ isActive }: { isActive: boolean }, context: MessageContext): MailContent {
    const { registration, registrationDecision: texts } = context.texts;
    const facts = factsOf(context);
    const wayIn: Block = isActive ? { label: texts.signIn, url: context.brand.signInUrl } : texts.inactive;
    const parts = {
      subject: texts.approvedSubject(facts),
      name: null,
      reason: registration.reason,
      blocks: [texts.approved(facts), wayIn, texts.notYou],
    };
    return layOut(parts, context);
  },
} as const;

/** Contains no name, and no reason, because the decision has none. */
export const registrationRejectedMail = {
  kind: 'registration_rejected',
  compose(_payload: Record<string, never>, context: MessageContext): MailContent {
    const { registration, registrationDecision: texts } = context.texts;
    const facts = factsOf(context);
    const parts = {
      subject: texts.rejectedSubject(facts),
      name: null,
      reason: registration.reason,
      blocks: [texts.rejected(facts), texts.mistake, texts.notYou],
    };
    return layOut(parts, context);
  },
} as const;
