import type { Command } from 'commander';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { withOperator, type OperatorSession } from '../../runtime/connection.js';
import { countOf } from '../../runtime/count-words.js';
import { CommandError } from '../../runtime/failure.js';
import { findMail } from '../../runtime/find-mail.js';
import { ABOUT_IDS } from '../../runtime/one-of.js';
import { printable } from '../../runtime/printable.js';
import { relativeTime } from '../../runtime/relative-time.js';
import type { Terminal } from '../../runtime/terminal.js';

interface RetryOptions {
  allFailed?: boolean;
}

/** As many as fit on a screen to choose from. */
const MOST_CHOICES = 20;

export function addRetryMail(mail: Command, terminal: Terminal): void {
  const command = mail
    .command('retry')
    .argument('[mails...]', 'ids, or their beginnings; chosen from those that failed on a terminal')
    .description('Send mail again that failed, or that waits for its next attempt.')
    .option('--all-failed', 'all mail that was given up');
  withCommonOptions(command, {
    json: '{ retried: number }',
    audited: true,
    quiet: 'print the number of mails only',
    confirms: true,
    notes:
      'Mail becomes due at once, with a new series of attempts if it had been given up; the running service sends it. ' +
      'What was sent stays sent, and a sending that is under way goes on. Links are made anew ' +
      'when the mail leaves; an invitation that is closed by then, or a reset that is overtaken, is skipped. Only ' +
      `--all-failed asks before it acts. ${ABOUT_IDS}`,
    examples: [
      ['latchkey mail retry 01981f3e-5c1a-7b7e-9d3c-2f6f0d1c9a55', 'one mail; the id is in mail outbox'],
      ['latchkey mail retry --all-failed --yes', 'after the mail server was fixed'],
    ],
  }).action(action(terminal, retryMail));
}

async function retryMail(call: Call<RetryOptions>): Promise<void> {
  const { args, options, prompts } = call;
  const all = options.allFailed === true;
  if (all && args.length > 0) throw CommandError.usage('Ids and --all-failed name mail twice.');
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
  const { mailAdministration } = administration;
  const { count, oldest } = await mailAdministration.failed();
  if (count === 0) return 0;
  const since = relativeTime(oldest?.toISOString());
  await prompts.confirm(`Send ${countOf(count, 'failed mail')} again? The oldest was queued ${since}.`);
  return mailAdministration.retryFailed(operator, client);
}

async function retryNamed(call: Call, session: OperatorSession): Promise<number> {
  const { administration, operator, client } = session;
  const ids = call.args.length > 0 ? await idsOf(call, session) : await chosen(call, session);
  if (ids.length === 0) return 0;
  return (await administration.mailAdministration.retry(operator, ids, client)).length;
}

async function idsOf({ args, prompts }: Call, { administration }: OperatorSession): Promise<string[]> {
  const ids: string[] = [];
  for (const text of args) ids.push((await findMail(administration, text, prompts)).id);
  return [...new Set(ids)];
}

async function chosen({ prompts }: Call, { administration }: OperatorSession): Promise<string[]> {
  const page = { limit: MOST_CHOICES, offset: 0 };
  const { items } = await administration.mailAdministration.list({ state: 'failed' }, page);
  if (items.length === 0) return [];
  const choices = items.map(({ id, kind, recipient, createdAt }) => ({
    value: id,
    name: printable([recipient, kind, relativeTime(createdAt)].join('  ')),
  }));
  return [await prompts.choice('Which mail?', choices, '<mails>')];
}
