import { isPlainName } from '../../kernel/plain-name.js';
import type { MailContent } from '../mail-content.js';
import { layOut } from './layout.js';
import { factsOf, type MessageContext } from './message-context.js';

export const passkeyRemovedMail = {
  kind: 'passkey_removed',
  compose(payload: { fullName: string | null; passkeyName: string }, context: MessageContext): MailContent {
    const { notice, passkey: texts } = context.texts;
    const { fullName, passkeyName } = payload;
    const facts = { ...factsOf(context), name: isPlainName(passkeyName) ? passkeyName : null };
    const parts = {
      subject: texts.removedSubject(facts),
      name: fullName,
      reason: notice.reason,
      blocks: [texts.removed(facts), notice.wasYou, notice.wasNotYou],
    };
    return layOut(parts, context);
  },
} as const;
