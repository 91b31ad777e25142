import { isPlainName } from '../../kernel/plain-name.js';
import type { MailContent } from '../mail-content.js';
import { layOut } from './layout.js';
import type { MailTexts } from './mail-texts.js';
import { factsOf, type MessageContext } from './message-context.js';

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
    const { notice, actedFor: texts, times } = context.texts;
    const facts = { ...factsOf(context), actor: actorText(by, texts), lifetime: times.lifetime(seconds) };
    const parts = {
      subject: texts.subject(facts),
      name: fullName,
      reason: notice.reason,
      blocks: [texts.opened(facts), texts.endIt, texts.unexpected],
    };
    return layOut(parts, context);
  },
} as const;

/** The text comes from a machine: one that could be mistaken for part of the mail is left out. */
const actorText = (by: string | null, texts: MailTexts['actedFor']): string => {
  if (by === null) return texts.staff;
  return isPlainName(by) ? texts.named(by) : texts.unnamed;
};
