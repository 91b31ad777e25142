import type { MailContent } from '../mail-content.js';
import { layOut } from './layout.js';
import { factsOf, type MessageContext } from './message-context.js';

/** Contains nothing that the sender of the registration typed: the address may belong to another person. */
export const pendingRegistrationMail = {
  kind: 'pending_registration',
  compose(_payload: Record<string, never>, context: MessageContext): MailContent {
    const { registration, pendingRegistration: texts } = context.texts;
    const facts = factsOf(context);
    const parts = {
      subject: texts.subject(facts),
      name: null,
      reason: registration.reason,
      blocks: [texts.thanks(facts), texts.wait, texts.notYou],
    };
    return layOut(parts, context);
  },
} as const;
