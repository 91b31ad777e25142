import type { MailPayloads } from '../mail-kind.js';
import type { OneTimeLink } from '../mail-secret-source.js';
import type { MailContent } from '../mailer.js';
import { layOut } from './layout.js';
import type { MessageContext } from './layout.js';
import { lifetime } from './moment.js';

export function invitationMessage(
  payload: MailPayloads['invitation'],
  link: OneTimeLink,
  context: MessageContext,
): MailContent {
  const company = payload.companyName ?? `the company ${payload.companyId}`;
  const parts = {
    subject: `You are invited to join ${company} on ${context.brand.name}`,
    name: null,
    reason: 'somebody invited this address',
    blocks: [
      `You are invited to join ${company} on ${context.brand.name}.`,
      { label: 'Accept the invitation', url: link.url },
      `The link works once and for ${lifetime(link.lifetime)}. It is meant for you alone: do not pass it on.`,
      'If you did not expect this, you can ignore this mail; nothing happens then.',
    ],
  };
  return layOut(parts, context);
}
