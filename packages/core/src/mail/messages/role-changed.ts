import type { MailContent } from '../mail-content.js';
import { layOut } from './layout.js';
import type { MailTexts } from './mail-texts.js';
import { factsOf, type MessageContext } from './message-context.js';

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
    const texts = context.texts.roleChanged;
    const facts = factsOf(context);
    const parts = {
      subject: texts.subject(facts),
      name: fullName,
      reason: texts.reason,
      blocks: [`${texts.changed(facts)} ${sentenceOf(from, to, context.texts)}`, texts.staysSignedIn],
    };
    return layOut(parts, context);
  },
} as const;

function sentenceOf(from: string, to: string, { roleChanged: texts, roles }: MailTexts): string {
  if (to === 'NONE') return texts.taken(roles.role(from));
  if (from === 'NONE') return texts.given(roles.role(to));
  return texts.replaced({ from: roles.role(from), to: roles.role(to) });
}
