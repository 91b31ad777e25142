import type { MailContent } from '../mail-content.js';
import { layOut } from './layout.js';
import { factsOf, type MessageContext } from './message-context.js';

/** The number of registrations at the moment the mail is sent. */
export interface WaitingApprovals {
  /** At least 1. */
  waiting: number;
}

/** Reports how many registrations wait, and nothing about them, because mail can be read by others. */
export const approvalWaitingMail = {
  kind: 'approval_waiting',
  completedBy: 'count',
  compose(
    _payload: Record<string, never>,
    context: MessageContext,
    { waiting }: WaitingApprovals,
  ): MailContent {
    const texts = context.texts.approvalWaiting;
    const facts = { ...factsOf(context), waiting };
    const parts = {
      subject: texts.subject(facts),
      name: null,
      reason: texts.reason,
      blocks: [texts.waits(facts), texts.howToDecide, texts.nextMail],
    };
    return layOut(parts, context);
  },
} as const;
