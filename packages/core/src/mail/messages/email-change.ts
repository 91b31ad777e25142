import type { MailContent } from '../mail-content.js';
import type { OneTimeLink } from '../one-time-link.js';
import { layOut, type MessageContext } from './layout.js';
import { lifetime } from './moment.js';

/** Contains no name: the address may belong to another person. */
export const emailChangeMail = {
  kind: 'email_change',
  completedBy: 'link',
  compose(_payload: { changeId: string }, context: MessageContext, link: OneTimeLink): MailContent {
    const { name } = context.brand;
    const parts = {
      subject: `Confirm your new email address for ${name}`,
      name: null,
      reason: 'someone asked to use this address for an account',
      blocks: [
        `Someone, probably you, asked to use this address for their ${name} account from now on. Confirm that it is yours.`,
        { label: 'Use this address', url: link.url },
        `This link expires in ${lifetime(link.lifetime)} and can be used once. It signs out all other devices.`,
        "If you weren't expecting this email, you can safely ignore it: nothing changes.",
      ],
    };
    return layOut(parts, context);
  },
} as const;
