import type { MessageFacts } from '../message-facts.js';

/** The company and the offer. */
export interface Invited extends MessageFacts {
  /** Null if only the id of the company is known. */
  company: string | null;
  companyId: string;
  /** Null if no name may be shown. */
  inviter: string | null;
  /** In words; null if unknown. */
  role: string | null;
}

const companyOf = ({ company, companyId }: Invited) => company ?? `the company ${companyId}`;

export const invitationTexts = {
  subject: (invited: Invited) => `You are invited to join ${companyOf(invited)} on ${invited.product}`,
  reason: 'an invitation was sent to this address',
  invited(invited: Invited): string {
    const { product, inviter, role } = invited;
    const company = companyOf(invited);
    const withRole = role === null ? '' : ` with the role ${role}`;
    return `${inviter ?? `An administrator of ${company}`} invited you to join ${company} on ${product}${withRole}.`;
  },
  accept: 'Accept the invitation',
  /** The time of the expiry is null if it is unknown. */
  expiry({ lifetime, until }: { lifetime: string; until: string | null }): string {
    const time = until === null ? '' : `, on ${until},`;
    return `This link expires in ${lifetime}${time} and can be used once. It is meant for you alone: do not pass it on.`;
  },
  unexpected: "If you weren't expecting this email, you can safely ignore it.",
};
