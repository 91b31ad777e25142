import type { MailContent } from '../mail-content.js';
import { layOut } from './layout.js';
import { factsOf, type MessageContext } from './message-context.js';

/** A receiver of webhooks to which nothing is sent any more. */
export interface DisabledWebhook {
  fullName: string | null;
  /** The host of its address. */
  host: string;
  /** The receiver responded that it is gone; else it has failed for five days. */
  isGone: boolean;
}

/** Reports that messages to a receiver stopped, to those who can change it. */
export const webhookDisabledMail = {
  kind: 'webhook_disabled',
  compose({ fullName, host, isGone }: DisabledWebhook, context: MessageContext): MailContent {
    const texts = context.texts.webhookDisabled;
    const facts = { ...factsOf(context), host };
    const parts = {
      subject: texts.subject(facts),
      name: fullName,
      reason: texts.reason,
      blocks: [isGone ? texts.gone(facts) : texts.failing(facts), texts.howToActivate],
    };
    return layOut(parts, context);
  },
} as const;
