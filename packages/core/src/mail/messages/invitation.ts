import type { MailContent } from '../mail-content.js';
import type { OneTimeLink } from '../one-time-link.js';
import { layOut } from './layout.js';
import { factsOf, type MessageContext } from './message-context.js';

export interface InvitationPayload {
  invitationId: string;
  companyId: string;
  companyName: string | null;
  /** The name that the inviter typed. Missing, like the role, in mail that a former version queued. */
  inviterName?: string | null;
  role?: string;
  /** The language for an address without an account. Missing in mail that a former version queued. */
  locale?: string | null;
}

export const invitationMail = {
  kind: 'invitation',
  completedBy: 'link',
  compose(payload: InvitationPayload, context: MessageContext, link: OneTimeLink): MailContent {
    const { invitation: texts, roles, times } = context.texts;
    const { companyId, companyName: company, inviterName: inviter = null, role } = payload;
    const invited = { ...factsOf(context), company, companyId, inviter };
    const expiry = {
      lifetime: times.lifetime(link.lifetime),
      until: link.expiresAt === undefined ? null : times.at(link.expiresAt),
    };
    const facts = { ...invited, role: role === undefined ? null : roles.role(role) };
    const parts = {
      subject: texts.subject(facts),
      name: null,
      reason: texts.reason,
      blocks: [
        texts.invited(facts),
        { label: texts.accept, url: link.url },
        texts.expiry(expiry),
        texts.unexpected,
      ],
    };
    return layOut(parts, context);
  },
} as const;
