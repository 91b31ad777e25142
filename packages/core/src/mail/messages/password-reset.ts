import type { MailContent } from '../mail-content.js';
import type { OneTimeLink } from '../one-time-link.js';
import { layOut, type MessageContext } from './layout.js';
import { lifetime } from './moment.js';

export interface PasswordResetPayload {
  /** Null if no user has the address. Such mail is queued all the same, so that the response reveals nothing. */
  userId: string | null;
  fullName: string | null;
}

export const passwordResetMail = {
  kind: 'password_reset',
  completedBy: 'link',
  compose(payload: PasswordResetPayload, context: MessageContext, link: OneTimeLink): MailContent {
    const parts = {
      subject: `Reset your ${context.brand.name} password`,
      name: payload.fullName,
      reason: 'a password reset was requested for the account with this address',
      blocks: [
        `Someone, probably you, asked to reset the password of your ${context.brand.name} account.`,
        { label: 'Choose a new password', url: link.url },
        `This link expires in ${lifetime(link.lifetime)} and can be used once. A reset signs you out everywhere and removes any passkeys.`,
        "If you weren't expecting this email, you can safely ignore it: your password stays as it is.",
      ],
    };
    return layOut(parts, context);
  },
} as const;
