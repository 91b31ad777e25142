import type { Command } from 'commander';
import type { Administration, OutboxMailView } from '@latchkey/operations';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { withOperator, type OperatorSession } from '../../runtime/connection.js';
import { countOf } from '../../runtime/count-words.js';
import { CommandError } from '../../runtime/failure.js';
import { ABOUT_IDS, CANDIDATES, oneOf, type Kind } from '../../runtime/one-of.js';
import { printable } from '../../runtime/printable.js';
import type { Prompts } from '../../runtime/prompts.js';
import { relativeTime } from '../../runtime/relative-time.js';
import type { Terminal } from '../../runtime/terminal.js';

/**
 * Returns a mail by its id or the first characters of it. Mails that are not sent or skipped take precedence.
 * @throws CommandError for an unknown mail, or if several match without a terminal.
 */
async function findMail({ mail }: Administration, text: string, prompts: Prompts): Promise<OutboxMailView> {
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

/** The choices that fit on a screen. */
const MOST_CHOICES = 20;

export function addRetryMail(mail: Command, terminal: Terminal): void {
  const command = mail
    .command('retry')
    .argument('[mails...]', 'ids or their first characters; on a terminal, chosen from failed mail')
    .description('Resend failed mail, or mail that waits for its next attempt.')
    .option('--all-failed', 'resend all failed mail');
  withCommonOptions(command, {
    json: '{ retried: number }',
    audited: true,
    quiet: 'print only the number of mails',
    confirms: true,
    notes:
      'Makes mail due at once, with a new series of attempts if it had failed; the running service sends it. ' +
      'Sent mail is not sent again, and a running attempt continues. Links are created ' +
      'when the mail is sent; closed invitations and superseded resets are skipped. Only ' +
      `--all-failed asks for confirmation. ${ABOUT_IDS}`,
    examples: [
      [
        'latchkey mail retry 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55',
        'one mail; the id is listed by mail outbox',
      ],
      ['latchkey mail retry --all-failed --yes', 'after the mail server was fixed'],
    ],
  }).action(action(terminal, retryMail));
}

async function retryMail(call: Call<{ allFailed?: boolean }>): Promise<void> {
  const { args, options, prompts } = call;
  const all = options.allFailed === true;
  if (all && args.length > 0) throw CommandError.usage('Give ids or --all-failed, not both.');
  if (!all && args.length === 0) prompts.assertCanAsk('<mails> or --all-failed');
  await withOperator(call, async (session) => {
    const retried = all ? await retryAll(call, session) : await retryNamed(call, session);
    const text = retried === 0 ? 'There is no failed mail.' : `${dueNow(retried)}; the service sends it.`;
    call.output.answer({ view: { retried }, text, id: String(retried) });
  });
}

const dueNow = (mails: number): string => `${countOf(mails, 'mail')} ${mails === 1 ? 'is' : 'are'} due now`;

async function retryAll(
  { prompts }: Call,
  { administration, operator, client }: OperatorSession,
): Promise<number> {
  const { mail } = administration;
  const { count, oldest } = await mail.failed();
  if (count === 0) return 0;
  const since = relativeTime(oldest?.toISOString());
  await prompts.confirm(`Send ${countOf(count, 'failed mail')} again? The oldest was queued ${since}.`);
  return mail.retryFailed(operator, client);
}

async function retryNamed(call: Call, session: OperatorSession): Promise<number> {
  const { administration, operator, client } = session;
  const ids = call.args.length > 0 ? await idsOf(call, session) : await chosen(call, session);
  if (ids.length === 0) return 0;
  return (await administration.mail.retry(operator, ids, client)).length;
}

async function idsOf({ args, prompts }: Call, { administration }: OperatorSession): Promise<string[]> {
  const ids: string[] = [];
  for (const text of args) ids.push((await findMail(administration, text, prompts)).id);
  return [...new Set(ids)];
}

async function chosen({ prompts }: Call, { administration }: OperatorSession): Promise<string[]> {
  const page = { limit: MOST_CHOICES, offset: 0 };
  const { items } = await administration.mail.list({ state: 'failed' }, page);
  if (items.length === 0) return [];
  const choices = items.map(({ id, kind, recipient, createdAt }) => ({
    value: id,
    name: printable([recipient, kind, relativeTime(createdAt)].join('  ')),
  }));
  return [await prompts.choice('Which mail?', choices, '<mails>')];
}
