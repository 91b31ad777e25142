import type { MailContent } from '../mail-content.js';
import { layOut } from './layout.js';
import { factsOf, type MessageContext } from './message-context.js';

export const recoveryCodeUsedMail = {
  kind: 'recovery_code_used',
  compose(payload: { fullName: string | null; codesLeft: number }, context: MessageContext): MailContent {
    const { notice, recoveryCode: texts } = context.texts;
    const facts = factsOf(context);
    const parts = {
      subject: texts.subject(facts),
      name: payload.fullName,
      reason: notice.reason,
      blocks: [`${texts.used(facts)} ${texts.left(payload.codesLeft)}`, texts.wasYou, texts.wasNotYou],
    };
    return layOut(parts, context);
  },
} as const;
