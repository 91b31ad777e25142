import type { MailContent } from '../mail-content.js';
import type { OneTimeLink } from '../one-time-link.js';
import { layOut } from './layout.js';
import { factsOf, type MessageContext } from './message-context.js';

export interface PasswordResetPayload {
  /** Null if no user has the address. Such mail is queued all the same, so that the response reveals nothing. */
  userId: string | null;
  fullName: string | null;
}

export const passwordResetMail = {
  kind: 'password_reset',
  completedBy: 'link',
  compose(payload: PasswordResetPayload, context: MessageContext, link: OneTimeLink): MailContent {
    const { passwordReset: texts, times } = context.texts;
    const facts = factsOf(context);
    const parts = {
      subject: texts.subject(facts),
      name: payload.fullName,
      reason: texts.reason,
      blocks: [
        texts.requested(facts),
        { label: texts.choose, url: link.url },
        texts.expiry({ lifetime: times.lifetime(link.lifetime) }),
        texts.unexpected,
      ],
    };
    return layOut(parts, context);
  },
} as const;
