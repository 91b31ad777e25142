import { isPlainName } from '../../kernel/plain-name.js';
import type { MailContent } from '../mail-content.js';
import { layOut, type MessageContext } from './layout.js';
import { lifetime, moment } from './moment.js';

/** A session in which an actor acts for the user. */
export interface ActedFor {
  fullName: string | null;
  /** The text by which a machine named them; null for a member of staff, whose name the list of sessions shows. */
  by: string | null;
  /** Maximum lifetime of the session. */
  seconds: number;
}

/** A notice without a link: security warnings with links train people to follow phishing mail. */
export const actedForMail = {
  kind: 'acted_for',
  compose({ fullName, by, seconds }: ActedFor, context: MessageContext): MailContent {
    const { name } = context.brand;
    const parts = {
      subject: `Someone is acting for you at ${name}`,
      name: fullName,
      reason: 'it concerns the security of your account',
      blocks: [
        `Your ${name} account was opened ${moment(context.occurredAt)} for ${actorText(by)}, who can use it in your name for at most ${lifetime(seconds)}. They cannot change your password, your email address or how you sign in.`,
        'The list of your sessions shows who it is and why. End the session there if you do not agree.',
        'If you did not expect this, contact your administrator.',
      ],
    };
    return layOut(parts, context);
  },
} as const;

/** The text comes from a machine: one that could be mistaken for part of the mail is left out. */
const actorText = (by: string | null): string => {
  if (by === null) return 'a member of staff';
  return isPlainName(by) ? `"${by}"` : 'someone who supports you';
};
