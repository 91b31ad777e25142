import type { Command } from 'commander';
import { action } from '../../runtime/call.js';
import { wholeNumber, withCommonOptions } from '../../runtime/command-options.js';
import type { Terminal } from '../../runtime/terminal.js';
import { runDevelopment } from './run-development.js';

const MOST_PORT = 65_535;

export function addDevCommand(program: Command, terminal: Terminal): void {
  withCommonOptions(
    program
      .command('dev')
      .description('Run the service for development, and show how to try it.')
      .option('--port <n>', 'listen here instead of on PORT', wholeNumber(1, MOST_PORT))
      .option('--fresh', 'start with an empty database and a new key, and keep nothing'),
    {
      json: 'one object for each log line; the one with { url, docs, pages, mail, steps } shows how to try it',
      quiet: 'log only warnings and errors, and do not show how to try it',
      notes:
        'Like latchkey serve, with readable log lines, and with open registration unless PUBLIC_REGISTRATION_ENABLED ' +
        'is set. Dependencies that are not set are embedded: PostgreSQL and a signing key, both in DATA_DIR, a store in ' +
        'place of Redis, an inbox in place of a mail server. Ctrl-C stops it, a second one at once. It does not run with ' +
        'APP_ENV=production.',
      examples: [
        ['latchkey dev', 'then paste its steps into another terminal'],
        ['latchkey dev --fresh --port 4000', 'temporary, on another port'],
      ],
    },
  ).action(action(terminal, runDevelopment));
}
