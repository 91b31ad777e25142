import type { MailContent } from '../mail-content.js';
import { layOut, type MessageContext } from './layout.js';
import { moment } from './moment.js';

export const factorsResetMail = {
  kind: 'factors_reset',
  compose(payload: { fullName: string | null }, context: MessageContext): MailContent {
    const parts = {
      subject: `The second factors of your ${context.brand.name} account were removed`,
      name: payload.fullName,
      reason: 'it concerns the security of your account',
      blocks: [
        `An administrator removed every second factor, recovery code and passkey of your ${context.brand.name} account ${moment(context.occurredAt)}, and signed you out everywhere.`,
        'Sign in with your password and set up a new second factor.',
        'If you did not ask for this, contact your administrator at once, and request a password reset on the sign-in page.',
      ],
    };
    return layOut(parts, context);
  },
} as const;
