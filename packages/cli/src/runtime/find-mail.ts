import type { Administration, OutboxMailView } from '@latchkey/operations';
import { CANDIDATES, oneOf, type Kind } from './one-of.js';
import type { Prompts } from './prompts.js';
import { relativeTime } from './relative-time.js';

/**
 * Returns a mail by its id or the first characters of it. Mails that are not sent or skipped take precedence.
 * @throws CommandError for an unknown mail, or if several match without a terminal.
 */
export async function findMail(
  { mail }: Administration,
  text: string,
  prompts: Prompts,
): Promise<OutboxMailView> {
  const found = await mail.findByPrefix(text, CANDIDATES);
  const here = found.filter(({ state }) => state !== 'sent' && state !== 'skipped');
  return oneOf(text, here.length > 0 ? here : found, MAIL_KIND, prompts);
}

const MAIL_KIND: Kind<OutboxMailView> = {
  singular: 'mail',
  plural: 'mails',
  list: 'latchkey mail outbox',
  describe: ({ id, kind, recipient, state, createdAt }) =>
    [id, kind, `to ${recipient}`, state, relativeTime(createdAt)].join('  '),
};
