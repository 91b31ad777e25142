import type { MailContent } from '../mail-content.js';
import { layOut } from './layout.js';
import { factsOf, type MessageContext } from './message-context.js';

export const wrongCodesMail = {
  kind: 'wrong_codes',
  compose(payload: { fullName: string | null; count: number }, context: MessageContext): MailContent {
    const { notice, wrongCodes: texts } = context.texts;
    const facts = factsOf(context);
    const parts = {
      subject: texts.subject(facts),
      name: payload.fullName,
      reason: notice.reason,
      blocks: [`${texts.entered(facts)} ${texts.count(payload.count)}`, texts.wasYou, texts.wasNotYou],
    };
    return layOut(parts, context);
  },
} as const;
