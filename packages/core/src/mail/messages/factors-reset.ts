import type { MailContent } from '../mail-content.js';
import { layOut } from './layout.js';
import { factsOf, type MessageContext } from './message-context.js';

export const factorsResetMail = {
  kind: 'factors_reset',
  compose(payload: { fullName: string | null }, context: MessageContext): MailContent {
    const { notice, factor: texts } = context.texts;
    const facts = factsOf(context);
    const parts = {
      subject: texts.resetSubject(facts),
      name: payload.fullName,
      reason: notice.reason,
      blocks: [texts.reset(facts), texts.setUpAgain, texts.notAskedFor],
    };
    return layOut(parts, context);
  },
} as const;
