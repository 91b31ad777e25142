import type { MailContent } from '../mail-content.js';
import type { OneTimeLink } from '../one-time-link.js';
import { layOut, type MessageContext } from './layout.js';
import { lifetime } from './moment.js';

export interface EmailVerificationPayload {
  /** The row that stores the digest of the link's secret. */
  verificationId: string;
}

/** Contains no name: the address may belong to another person. */
export const emailVerificationMail = {
  kind: 'email_verification',
  completedBy: 'link',
  compose(_payload: EmailVerificationPayload, context: MessageContext, link: OneTimeLink): MailContent {
    const { name } = context.brand;
    const parts = {
      subject: `Confirm your registration with ${name}`,
      name: null,
      reason: 'this address was used for a registration',
      blocks: [
        `Someone, probably you, registered with ${name} using this address. Confirm that it is yours, and you can sign in.`,
        { label: 'Confirm the registration', url: link.url },
        'You are asked for the password chosen at registration. If you do not know it, type a new one: it takes its place.',
        `This link expires in ${lifetime(link.lifetime)} and can be used once.`,
        'If you did not register, you can safely ignore this mail.',
      ],
    };
    return layOut(parts, context);
  },
} as const;
