import type { MailContent } from '../mail-content.js';
import { layOut, type MessageContext } from './layout.js';

/** Contains nothing that the sender of the registration typed: the address may belong to another person. */
export const pendingRegistrationMail = {
  kind: 'pending_registration',
  compose(_payload: Record<string, never>, context: MessageContext): MailContent {
    const parts = {
      subject: `Your registration with ${context.brand.name} is waiting for approval`,
      name: null,
      reason: 'this address was used for a registration',
      blocks: [
        `Thank you for registering with ${context.brand.name}. An administrator looks at each registration before the account can be used, and yours is waiting for approval.`,
        'You can sign in once it has been approved. There is nothing you need to do until then.',
        'If you did not register, you can ignore this mail.',
      ],
    };
    return layOut(parts, context);
  },
} as const;
