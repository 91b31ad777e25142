import type { MailContent } from '../mail-content.js';
import { layOut, type MessageContext } from './layout.js';
import { moment } from './moment.js';

export const recoveryCodeUsedMail = {
  kind: 'recovery_code_used',
  compose(payload: { fullName: string | null; codesLeft: number }, context: MessageContext): MailContent {
    const parts = {
      subject: `A recovery code of your ${context.brand.name} account was used`,
      name: payload.fullName,
      reason: 'it concerns the security of your account',
      blocks: [
        `A recovery code of your ${context.brand.name} account was used in place of a second factor ${moment(context.occurredAt)}. ${codesLeft(payload.codesLeft)}`,
        'If this was you, create new recovery codes when few are left, and add a new second factor if you lost the old one.',
        'If it was not you, someone else knows your password and your recovery codes. Contact your administrator at once, and request a password reset on the sign-in page.',
      ],
    };
    return layOut(parts, context);
  },
} as const;

function codesLeft(count: number): string {
  if (count === 0) return 'It was the last one.';
  return count === 1 ? 'One code is left.' : `${count} codes are left.`;
}
