import type { MailContent } from '../mail-content.js';
import { layOut, type MessageContext } from './layout.js';
import { moment } from './moment.js';
import { passkeyPhrase } from './passkey-phrase.js';

export const passkeyAddedMail = {
  kind: 'passkey_added',
  compose(payload: { fullName: string | null; passkeyName: string }, context: MessageContext): MailContent {
    const parts = {
      subject: `A passkey was added to your ${context.brand.name} account`,
      name: payload.fullName,
      reason: 'it concerns the security of your account',
      blocks: [
        `${passkeyPhrase(payload.passkeyName)} was added to your ${context.brand.name} account ${moment(context.occurredAt)}. It can be used to sign in without your password.`,
        'If this was you, there is nothing to do.',
        'If it was not you, someone else may have access to your account. Contact your administrator at once, and request a password reset on the sign-in page: it removes every passkey.',
      ],
    };
    return layOut(parts, context);
  },
} as const;
