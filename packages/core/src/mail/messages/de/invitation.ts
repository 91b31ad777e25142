import type { invitationTexts as english } from '../en/invitation.js';
import type { Translation } from '../translation.js';

export const invitationTexts: Translation<typeof english> = {
  subject: ({ company, companyId, product }) =>
    `Sie sind eingeladen, ${company ?? `dem Unternehmen ${companyId}`} auf ${product} beizutreten`,
  reason: 'eine Einladung an diese Adresse gesendet wurde',
  invited({ company, companyId, product, inviter, role }) {
    const administrator = `Ein Administrator ${company === null ? `des Unternehmens ${companyId}` : `von ${company}`}`;
    const joined = company ?? `dem Unternehmen ${companyId}`;
    const withRole = role === null ? '' : ` mit der Rolle „${role}“`;
    return `${inviter ?? administrator} hat Sie eingeladen, ${joined} auf ${product}${withRole} beizutreten.`;
  },
  accept: 'Einladung annehmen',
  expiry({ lifetime, until }) {
    const time = until === null ? '' : `, bis zum ${until},`;
    return `Dieser Link ist ${lifetime} gültig${time} und kann einmal verwendet werden. Er ist nur für Sie bestimmt: Geben Sie ihn nicht weiter.`;
  },
  unexpected: 'Wenn Sie diese E-Mail nicht erwartet haben, können Sie sie einfach ignorieren.',
};
