import type { MailContent } from '../mail-content.js';
import type { OneTimeLink } from '../one-time-link.js';
import { layOut, type MessageContext } from './layout.js';
import { lifetime, time } from './moment.js';
import { roleInWords } from './role-words.js';

export interface InvitationPayload {
  invitationId: string;
  companyId: string;
  companyName: string | null;
  /** The name that the inviter typed. Missing, like the role, in mail that a former version queued. */
  inviterName?: string | null;
  role?: string;
}

export const invitationMail = {
  kind: 'invitation',
  completedBy: 'link',
  compose(payload: InvitationPayload, context: MessageContext, link: OneTimeLink): MailContent {
    const company = payload.companyName ?? `the company ${payload.companyId}`;
    const inviter = payload.inviterName ?? `An administrator of ${company}`;
    const withRole = payload.role === undefined ? '' : ` with the role ${roleInWords(payload.role)}`;
    const parts = {
      subject: `You are invited to join ${company} on ${context.brand.name}`,
      name: null,
      reason: 'an invitation was sent to this address',
      blocks: [
        `${inviter} invited you to join ${company} on ${context.brand.name}${withRole}.`,
        { label: 'Accept the invitation', url: link.url },
        `${expiry(link)} It is meant for you alone: do not pass it on.`,
        "If you weren't expecting this email, you can safely ignore it.",
      ],
    };
    return layOut(parts, context);
  },
} as const;

function expiry({ lifetime: seconds, expiresAt }: OneTimeLink): string {
  const until = expiresAt === undefined ? '' : `, on ${time(expiresAt)},`;
  return `This link expires in ${lifetime(seconds)}${until} and can be used once.`;
}
