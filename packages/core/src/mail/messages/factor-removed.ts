import type { MailContent } from '../mail-content.js';
import { factorPhrase } from './factor-phrase.js';
import { layOut, type MessageContext } from './layout.js';
import { moment } from './moment.js';

export const factorRemovedMail = {
  kind: 'factor_removed',
  compose(payload: { fullName: string | null; factorName: string }, context: MessageContext): MailContent {
    const parts = {
      subject: `A second factor was removed from your ${context.brand.name} account`,
      name: payload.fullName,
      reason: 'it concerns the security of your account',
      blocks: [
        `${factorPhrase(payload.factorName)} was removed from your ${context.brand.name} account ${moment(context.occurredAt)}. Its codes no longer work.`,
        'If this was you, there is nothing to do.',
        'If it was not you, someone else may have access to your account. Contact your administrator at once, and request a password reset on the sign-in page.',
      ],
    };
    return layOut(parts, context);
  },
} as const;
