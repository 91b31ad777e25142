import type { WaitingApprovals } from '../mail-source.js';
import type { MailContent } from '../mailer.js';
import { layOut, type MessageContext } from './layout.js';

/** Tells those who approve how many wait, and nothing about them: mail is read by others, too. */
export function approvalWaitingMessage({ waiting }: WaitingApprovals, context: MessageContext): MailContent {
  const { name } = context.brand;
  const registrations = waiting === 1 ? '1 registration waits' : `${waiting} registrations wait`;
  const parts = {
    subject: `${registrations} for approval on ${name}`,
    name: null,
    reason: 'this address is configured to be told when registrations wait (APPROVAL_NOTICE_TO)',
    blocks: [
      `${registrations} for approval on ${name}.`,
      'See who is waiting by the command "latchkey users list --status PENDING" or the route GET /internal/users?approvalStatus=PENDING; "latchkey users approve" and "latchkey users reject" decide.',
      'The next email of this kind comes in an hour at the earliest.',
    ],
  };
  return layOut(parts, context);
}
