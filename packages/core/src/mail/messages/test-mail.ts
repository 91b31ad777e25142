import type { MailContent } from '../mail-content.js';
import { layOut, type MessageContext } from './layout.js';
import { moment } from './moment.js';

/** Composes the mail by which operators test the delivery. */
export function testMailMessage(context: MessageContext): MailContent {
  const parts = {
    subject: `Test mail of ${context.brand.name}`,
    name: null,
    reason: 'an operator tests the delivery of mail',
    blocks: [
      `Mail from ${context.brand.name} reaches you. An operator sent this test ${moment(context.occurredAt)}.`,
      'There is nothing to do.',
    ],
  };
  return layOut(parts, context);
}
