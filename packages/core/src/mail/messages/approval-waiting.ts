import type { MailContent } from '../mail-content.js';
import { layOut, type MessageContext } from './layout.js';

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
    const { name } = context.brand;
    const registrations = waiting === 1 ? '1 registration waits' : `${waiting} registrations wait`;
    const parts = {
      subject: `${registrations} for approval on ${name}`,
      name: null,
      reason: 'this address is configured to be notified when registrations wait (APPROVAL_NOTICE_TO)',
      blocks: [
        `${registrations} for approval on ${name}.`,
        'See who is waiting by the command "latchkey users list --status PENDING" or the route GET /internal/users?approvalStatus=PENDING; "latchkey users approve" and "latchkey users reject" decide.',
        'The next email of this kind comes in an hour at the earliest.',
      ],
    };
    return layOut(parts, context);
  },
} as const;
