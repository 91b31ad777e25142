import type { Command } from 'commander';
import type { SmtpTestOutcome } from '@latchkey/operations';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { CommandError, EXIT } from '../../runtime/failure.js';
import { printable } from '../../runtime/printable.js';
import type { Terminal } from '../../runtime/terminal.js';

export function addTestMail(mail: Command, terminal: Terminal): void {
  const command = mail
    .command('test')
    .argument('[address]', 'recipient of the test mail; asked for on a terminal')
    .description('Send a test mail through the configured mail server, and show its response.');
  withCommonOptions(command, {
    json: '{ server, isAccepted, answer } and, if it is rejected, problem and fix',
    quiet: 'print nothing',
    notes:
      'Sends the mail to the mail server at once, with SMTP_URL and MAIL_FROM as they are set here; the outbox, the ' +
      'database and the running service are not involved. An accepted mail may still not arrive: ' +
      'check the mailbox and its spam folder. Exits with 1 if the server cannot be reached or rejects the mail.',
    examples: [
      ['latchkey mail test ada@example.com', 'before going live'],
      ['latchkey mail test ada@example.com --json', 'in a deployment script'],
    ],
  }).action(action(terminal, testMail));
}

async function testMail({ args, options, output, progress, prompts }: Call): Promise<void> {
  const given = args[0] ?? (await prompts.text('Recipient of the test mail (address)?', '<address>'));
  const { canonicalEmail, sendTestMail } = await import('@latchkey/operations');
  const address = canonicalEmail(given);
  if (address === undefined) throw CommandError.usage(`"${given}" is not an email address.`);
  const outcome = await progress.during('Sending to the mail server', (bar) => {
    bar.at(0, 1);
    return sendTestMail(address);
  });
  if (outcome.isAccepted) {
    const text = `${outcome.server} accepted the mail to ${address}: ${printable(outcome.answer ?? '')}`;
    output.answer({ view: outcome, text });
    return;
  }
  if (options.json === true) output.answer({ view: outcome, text: '' });
  throw new CommandError(EXIT.failed, sentenceOf(outcome), outcome.fix);
}

function sentenceOf({ problem, answer }: Extract<SmtpTestOutcome, { isAccepted: false }>): string {
  return answer === null ? problem : `${problem} Its response: ${printable(answer)}`;
}
