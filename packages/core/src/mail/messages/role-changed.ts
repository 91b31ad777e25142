import type { MailContent } from '../mail-content.js';
import { layOut, type MessageContext } from './layout.js';
import { moment } from './moment.js';
import { roleInWords } from './role-words.js';

/** The platform role of a user before and after a change; `NONE` is no role. */
export interface RoleChange {
  fullName: string | null;
  from: string;
  to: string;
}

/** A notice without a link: security warnings with links train people to follow phishing mail. */
export const roleChangedMail = {
  kind: 'role_changed',
  compose({ fullName, from, to }: RoleChange, context: MessageContext): MailContent {
    const { name } = context.brand;
    const parts = {
      subject: `Your role at ${name} was changed`,
      name: fullName,
      reason: 'it concerns the rights of your account',
      blocks: [
        `The role of your ${name} account was changed ${moment(context.occurredAt)}. ${sentenceOf(from, to)}`,
        'You stay signed in. Contact your administrator if you did not expect this.',
      ],
    };
    return layOut(parts, context);
  },
} as const;

function sentenceOf(from: string, to: string): string {
  if (to === 'NONE') return `You no longer have the role "${roleInWords(from)}".`;
  if (from === 'NONE') return `Your role is now "${roleInWords(to)}".`;
  return `Your role is now "${roleInWords(to)}"; before, it was "${roleInWords(from)}".`;
}
