import type { MailPayloads } from '../mail-kind.js';
import type { MailContent } from '../mailer.js';
import { layOut, type MessageContext } from './layout.js';
import { moment } from './moment.js';

/** A notice without a link: a mail that teaches people to click on security warnings helps phishing. */
export function passwordChangedMessage(
  payload: MailPayloads['password_changed'],
  context: MessageContext,
): MailContent {
  const parts = {
    subject: `Your ${context.brand.name} password was changed`,
    name: payload.fullName,
    reason: 'it concerns the security of your account',
    blocks: [
      `The password of your ${context.brand.name} account was changed ${moment(context.occurredAt)}.`,
      'If this was you, there is nothing to do.',
      'If it was not you, someone else may have access to your account. Tell your administrator at once, and ask for a password reset on the sign-in page.',
    ],
  };
  return layOut(parts, context);
}
