import { isPlainName } from '../../kernel/plain-name.js';
import type { MailContent } from '../mail-content.js';
import { layOut } from './layout.js';
import { factsOf, type MessageContext } from './message-context.js';

export const factorAddedMail = {
  kind: 'factor_added',
  compose(payload: { fullName: string | null; factorName: string }, context: MessageContext): MailContent {
    const { notice, factor: texts } = context.texts;
    const { fullName, factorName } = payload;
    const facts = { ...factsOf(context), name: isPlainName(factorName) ? factorName : null };
    const parts = {
      subject: texts.addedSubject(facts),
      name: fullName,
      reason: notice.reason,
      blocks: [texts.added(facts), notice.wasYou, notice.wasNotYou],
    };
    return layOut(parts, context);
  },
} as const;
