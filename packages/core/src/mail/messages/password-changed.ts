import type { MailContent } from '../mail-content.js';
import { layOut, type MessageContext } from './layout.js';
import { moment } from './moment.js';

/** A notice without a link: security warnings with links train people to follow phishing mail. */
export const passwordChangedMail = {
  kind: 'password_changed',
  compose(payload: { fullName: string | null }, context: MessageContext): MailContent {
    const parts = {
      subject: `Your ${context.brand.name} password was changed`,
      name: payload.fullName,
      reason: 'it concerns the security of your account',
      blocks: [
        `The password of your ${context.brand.name} account was changed ${moment(context.occurredAt)}.`,
        'If this was you, there is nothing to do.',
        'If it was not you, someone else may have access to your account. Contact your administrator at once, and request a password reset on the sign-in page.',
      ],
    };
    return layOut(parts, context);
  },
} as const;
