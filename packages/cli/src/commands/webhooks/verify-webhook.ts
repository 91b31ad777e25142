import type { Command } from 'commander';
import { action, type Call } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import { CommandError, EXIT } from '../../runtime/failure.js';
import type { Terminal } from '../../runtime/terminal.js';
import { readTextFile } from '../../runtime/text-file.js';

interface VerifyOptions {
  secretFile: string;
  id: string;
  timestamp: string;
  signature: string;
}

export function addVerifyWebhook(webhooks: Command, terminal: Terminal): void {
  const command = webhooks
    .command('verify')
    .description('Check the signature of a message whose body is given on standard input.')
    .requiredOption('--secret-file <file>', 'file with the secret of the webhook')
    .requiredOption('--id <id>', 'the header webhook-id')
    .requiredOption('--timestamp <seconds>', 'the header webhook-timestamp')
    .requiredOption('--signature <text>', 'the header webhook-signature');
  withCommonOptions(command, {
    json: '{ valid: true }',
    quiet: 'print nothing',
    notes:
      'Exits with 1 if no signature was made with the secret. The age of the message is not checked. Needs neither database nor settings.',
    examples: [
      [
        'latchkey webhooks verify --secret-file secret.txt --id 01981f3e --timestamp 1795593600 --signature "v1,…" < body.json',
        'a message that a receiver has rejected',
      ],
    ],
  }).action(action(terminal, (call: Call<VerifyOptions>) => verify(call, terminal)));
}

async function verify({ options, output }: Call<VerifyOptions>, terminal: Terminal): Promise<void> {
  const { secretFile, id, signature } = options;
  const { isSignedBy } = await import('@latchkey/core/keys');
  const secret = (await readTextFile(secretFile)).trim();
  const message = { id, timestamp: Number(options.timestamp), body: await terminal.read() };
  if (!isValid(() => isSignedBy(message, signature, secret)))
    throw new CommandError(
      EXIT.failed,
      'The signature is not valid.',
      'Check that the body is unchanged, byte by byte, and that the secret is the current one.',
    );
  output.answer({ view: { valid: true }, text: 'The signature is valid.' });
}

/** A file without a secret is a mistake of the caller. */
function isValid(check: () => boolean): boolean {
  try {
    return check();
  } catch (error) {
    throw CommandError.usage(error instanceof Error ? error.message : String(error));
  }
}
