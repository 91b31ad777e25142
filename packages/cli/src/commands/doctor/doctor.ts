import type { Command } from 'commander';
import { action } from '../../runtime/call.js';
import { wholeNumber, withCommonOptions } from '../../runtime/command-options.js';
import type { Terminal } from '../../runtime/terminal.js';
import { examine } from './examine.js';

export function addDoctorCommand(program: Command, terminal: Terminal): void {
  withCommonOptions(
    program
      .command('doctor')
      .description('Check settings, keys, database, Redis, mail and dependencies, and suggest fixes.')
      .option(
        '--replicas <n>',
        'number of service processes that share the database',
        wholeNumber(1, 10_000),
        1,
      )
      .option('--strict', 'also exit with 1 for warnings'),
    {
      json: 'array of { id, group, title, status, found, why, fix }',
      quiet: 'print only the ids of errors and warnings',
      notes:
        'Status: ok, warning, error, or skipped if it is not configured or cannot be checked; an invalid ' +
        'setting skips only the checks that read it. Exits with 1 if there is an error. Changes nothing, except a key in Redis that is deleted at once, and sends no ' +
        'mail. Run it on the host of the service and with its settings. Beside a service without ' +
        'settings it finds the database of that service. Without a terminal: status, id, finding and fix, ' +
        'separated by tabs.',
      examples: [
        ['latchkey doctor', 'before going live, and when something looks wrong'],
        ['latchkey doctor --replicas 4 --strict --quiet', 'in a deployment script'],
      ],
    },
  ).action(action(terminal, examine));
}
