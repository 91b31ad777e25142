import type { MailContent } from '../mail-content.js';
import type { OneTimeLink } from '../one-time-link.js';
import { layOut } from './layout.js';
import { factsOf, type MessageContext } from './message-context.js';

export interface EmailChangePayload {
  changeId: string;
  /** The language of the user, for an address without an account. Missing in mail that a former version queued. */
  locale?: string | null;
}

/** Contains no name: the address may belong to another person. */
export const emailChangeMail = {
  kind: 'email_change',
  completedBy: 'link',
  compose(_payload: EmailChangePayload, context: MessageContext, link: OneTimeLink): MailContent {
    const { emailChange: texts, times } = context.texts;
    const facts = factsOf(context);
    const parts = {
      subject: texts.subject(facts),
      name: null,
      reason: texts.reason,
      blocks: [
        texts.requested(facts),
        { label: texts.confirm, url: link.url },
        texts.expiry({ lifetime: times.lifetime(link.lifetime) }),
        texts.unexpected,
      ],
    };
    return layOut(parts, context);
  },
} as const;
