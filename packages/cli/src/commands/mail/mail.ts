import { Option, type Command } from 'commander';
import type { MailKind } from '@latchkey/core';
import { MAIL_KINDS, OUTBOX_STATES } from '@latchkey/core/names';
import type { OutboxState } from '@latchkey/operations';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions, withPageOptions, type PageOptions } from '../../runtime/command-options.js';
import { withAdministration } from '../../runtime/connection.js';
import type { Terminal } from '../../runtime/terminal.js';
import { OUTBOX_LIST } from './outbox-list.js';
import { addRetryMail } from './retry-mail.js';
import { addTestMail } from './test-mail.js';

export function addMailCommands(program: Command, terminal: Terminal): void {
  const mail = program
    .command('mail')
    .helpCommand(false)
    .description('List and resend mail, and test the mail server.');
  addOutbox(mail, terminal);
  addRetryMail(mail, terminal);
  addTestMail(mail, terminal);
}

function addOutbox(mail: Command, terminal: Terminal): void {
  const command = mail
    .command('outbox')
    .description('List the mail of the service, newest first.')
    .addOption(new Option('--state <state>', 'only in this state').choices(OUTBOX_STATES))
    .addOption(new Option('--kind <kind>', 'only of this kind').choices(MAIL_KINDS))
    .option('--to <address>', 'only to this address, or addresses with this prefix');
  withCommonOptions(withPageOptions(command), {
    json: 'array of { id, kind, recipient, state, attempts, createdAt, nextAttemptAt, sentAt, lastError }',
    quiet: 'print only the ids',
    notes:
      'States: waiting; retrying, after a failure; failed, permanently or after 20 attempts; sent, that is ' +
      'accepted by the mail server; skipped, because its cause no longer existed when it was due. The running service ' +
      'sends the mail; this command only lists it. Texts and links are not shown: links are created when ' +
      'a mail is sent. Without a terminal: id, kind, recipient, state, attempts, created, next attempt, sent and last ' +
      'error, separated by tabs.',
    examples: [
      ['latchkey mail outbox --state failed', 'undelivered mail'],
      ['latchkey mail outbox --to ada@example.com', 'mail to a user'],
      ['latchkey mail outbox --state retrying --json', 'for monitoring'],
    ],
  }).action(action(terminal, listOutbox));
}

async function listOutbox(
  call: Call<PageOptions & { state?: OutboxState; kind?: MailKind; to?: string }>,
): Promise<void> {
  const { state, kind, to, limit, offset } = call.options;
  await withAdministration(call, async ({ administration }) => {
    const { mail } = administration;
    const filter = { state, kind, to: to?.trim().toLowerCase() };
    call.output.list(await mail.list(filter, { limit, offset }), OUTBOX_LIST);
    if (!mail.isDelivered) {
      call.output.note('No mail is queued or sent: SMTP_URL and MAIL_FROM are not set.');
    }
  });
}
