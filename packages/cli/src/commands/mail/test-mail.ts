import type { Command } from 'commander';
import type { SmtpTestOutcome } from '@latchkey/core/administration';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { CommandError, EXIT } from '../../runtime/failure.js';
import { printable } from '../../runtime/printable.js';
import type { Terminal } from '../../runtime/terminal.js';

export function addTestMail(mail: Command, terminal: Terminal): void {
  const command = mail
    .command('test')
    .argument('[address]', 'where the test mail goes; asked for on a terminal')
    .description('Send a test mail through the configured mail server, and show its answer.');
  withCommonOptions(command, {
    json: '{ server, isAccepted, answer } and, when it is refused, problem and fix',
    quiet: 'print nothing',
    notes:
      'It goes to the mail server at once, from here, with SMTP_URL and MAIL_FROM as they are set here; the outbox, the ' +
      'database and the running service take no part. That the server takes the mail does not mean that it arrives: ' +
      'look into the mailbox, and among the spam. Exits with 1 when the server cannot be reached or refuses.',
    examples: [
      ['latchkey mail test ada@example.com', 'before people come'],
      ['latchkey mail test ada@example.com --json', 'in a deployment script'],
    ],
  }).action(action(terminal, testMail));
}

async function testMail({ args, options, output, progress, prompts }: Call): Promise<void> {
  const given = args[0] ?? (await prompts.text('Where is the test mail to go (address)?', '<address>'));
  const { canonicalEmail, sendTestMail } = await import('@latchkey/core/administration');
  const address = canonicalEmail(given);
  if (address === undefined) throw CommandError.usage(`"${given}" is no email address.`);
  const outcome = await progress.during('Talking to the mail server', (bar) => {
    bar.at(0, 1);
    return sendTestMail(address);
  });
  if (outcome.isAccepted) {
    const text = `${outcome.server} took the mail to ${address}: ${printable(outcome.answer ?? '')}`;
    output.answer({ view: outcome, text });
    return;
  }
  if (options.json === true) output.answer({ view: outcome, text: '' });
  throw new CommandError(EXIT.failed, sentenceOf(outcome), outcome.fix);
}

function sentenceOf({ problem, answer }: Extract<SmtpTestOutcome, { isAccepted: false }>): string {
  return answer === null ? problem : `${problem} It said: ${printable(answer)}`;
}
