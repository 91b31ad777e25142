import { isPlainName } from '../../kernel/plain-name.js';
import type { MailContent } from '../mail-content.js';
import { layOut } from './layout.js';
import { factsOf, type MessageContext } from './message-context.js';

export const passkeyAddedMail = {
  kind: 'passkey_added',
  compose(payload: { fullName: string | null; passkeyName: string }, context: MessageContext): MailContent {
    const { notice, passkey: texts } = context.texts;
    const { fullName, passkeyName } = payload;
    const facts = { ...factsOf(context), name: isPlainName(passkeyName) ? passkeyName : null };
    const parts = {
      subject: texts.addedSubject(facts),
      name: fullName,
      reason: notice.reason,
      blocks: [texts.added(facts), notice.wasYou, texts.addedNotByYou],
    };
    return layOut(parts, context);
  },
} as const;
