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
      .description('Run the service for development, and say how to try it.')
      .option('--port <n>', 'listen here instead of on PORT', wholeNumber(1, MOST_PORT))
      .option('--fresh', 'begin with an empty database and a new key, and keep nothing'),
    {
      json: 'one object for each log line; that with { url, docs, pages, mail, steps } says how to try it',
      quiet: 'log warnings and errors only, and do not say how to try it',
      notes:
        'Like latchkey serve, with readable log lines, and with registration open unless PUBLIC_REGISTRATION_ENABLED ' +
        'says otherwise. What is not set is embedded: PostgreSQL and a signing key, both kept in DATA_DIR, a store in ' +
        'place of Redis, an inbox in place of a mail server. Ctrl-C stops it, twice at once. It refuses to run with ' +
        'APP_ENV=production.',
      examples: [
        ['latchkey dev', 'then paste what it prints into another terminal'],
        ['latchkey dev --fresh --port 4000', 'on the side, gone when it is stopped'],
      ],
    },
  ).action(action(terminal, runDevelopment));
}
