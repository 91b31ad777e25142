import type { Command } from 'commander';
import { action } from '../../runtime/call.js';
import { wholeNumber, withCommonOptions } from '../../runtime/command-options.js';
import type { Terminal } from '../../runtime/terminal.js';
import { examine } from './examine.js';

export function addDoctorCommand(program: Command, terminal: Terminal): void {
  withCommonOptions(
    program
      .command('doctor')
      .description('Look at settings, keys, database, Redis, mail and neighbours, and say what to fix.')
      .option(
        '--replicas <n>',
        'how many processes of the service share the database',
        wholeNumber(1, 10_000),
        1,
      )
      .option('--strict', 'exit with 1 for warnings, too'),
    {
      json: 'array of { id, group, title, status, found, why, fix }',
      quiet: 'print the ids of errors and warnings only',
      notes:
        'Status: ok, warning, error, or skipped for what is not configured or could not be looked at; a faulty ' +
        'setting keeps back only the checks that read it. Exits with 1 when there is an error. It changes nothing, but for a key in Redis that is gone at once, and it sends no ' +
        'mail. Run it where the service runs and with its settings: it looks from there. Beside a service without ' +
        'settings it finds the database of that service. Without a terminal: status, id, what was found and how to ' +
        'fix it, separated by tabs.',
      examples: [
        ['latchkey doctor', 'before people come, and when something is odd'],
        ['latchkey doctor --replicas 4 --strict --quiet', 'in a deployment script'],
      ],
    },
  ).action(action(terminal, examine));
}
