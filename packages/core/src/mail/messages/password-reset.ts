import type { MailPayloads } from '../mail-kind.js';
import type { OneTimeLink } from '../mail-source.js';
import type { MailContent } from '../mailer.js';
import { layOut, type MessageContext } from './layout.js';
import { lifetime } from './moment.js';

export function passwordResetMessage(
  payload: MailPayloads['password_reset'],
  link: OneTimeLink,
  context: MessageContext,
): MailContent {
  const parts = {
    subject: `Reset your ${context.brand.name} password`,
    name: payload.fullName,
    reason: 'somebody asked to reset the password of the account with this address',
    blocks: [
      `Someone, probably you, asked to reset the password of your ${context.brand.name} account.`,
      { label: 'Choose a new password', url: link.url },
      `This link expires in ${lifetime(link.lifetime)} and can be used once. A reset signs you out everywhere and removes any passkeys.`,
      "If you weren't expecting this email, you can safely ignore it: your password stays as it is.",
    ],
  };
  return layOut(parts, context);
}
