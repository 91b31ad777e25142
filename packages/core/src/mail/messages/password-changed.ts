import type { MailContent } from '../mail-content.js';
import { layOut } from './layout.js';
import { factsOf, type MessageContext } from './message-context.js';

/** A notice without a link: security warnings with links train people to follow phishing mail. */
export const passwordChangedMail = {
  kind: 'password_changed',
  compose(payload: { fullName: string | null }, context: MessageContext): MailContent {
    const { notice, passwordChanged: texts } = context.texts;
    const facts = factsOf(context);
    const parts = {
      subject: texts.subject(facts),
      name: payload.fullName,
      reason: notice.reason,
      blocks: [texts.changed(facts), notice.wasYou, notice.wasNotYou],
    };
    return layOut(parts, context);
  },
} as const;
