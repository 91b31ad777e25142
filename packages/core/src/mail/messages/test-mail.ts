import type { MailContent } from '../mail-content.js';
import { layOut } from './layout.js';
import { factsOf, type MessageContext } from './message-context.js';

/** Composes the mail by which operators test the delivery. */
export function testMailMessage(context: MessageContext): MailContent {
  const texts = context.texts.testMail;
  const facts = factsOf(context);
  const parts = {
    subject: texts.subject(facts),
    name: null,
    reason: texts.reason,
    blocks: [texts.reached(facts), texts.nothingToDo],
  };
  return layOut(parts, context);
}
