import type { Command } from 'commander';
import { action } from '../../runtime/call.js';
import { withCommonOptions } from '../../runtime/command-options.js';
import type { Terminal } from '../../runtime/terminal.js';
import { withCleanupOptions } from './cleanup-options.js';
import { cleanUp } from './run-cleanup.js';

export function addCleanupCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('cleanup')
    .description(
      'Remove what is past its use: old sessions, reset links, invitations and mail. Shows it first.',
    );
  withCommonOptions(withCleanupOptions(command), {
    json:
      'array of { kind, keep, before, count, oldest, newest, bytes }; with --run ' +
      '{ removed: { <kind>: number }, isComplete }',
    audited: true,
    quiet: 'print the number of rows only',
    confirms: true,
    notes:
      'Times need their unit: 12h, 30d. Rows go once they have ended for longer than that, by the clock of the ' +
      'database. What may still have an effect stays, and a time that is too short for it is refused: sessions stay ' +
      'for the longest of REFRESH_TOKEN_TTL and SESSION_MAX_LIFETIME, so that their tokens are answered ' +
      'session_revoked; reset links for 1h, invitations for INVITATION_TTL. Mail that waits is never removed. Space ' +
      'is used again by PostgreSQL, not given back to the disk. Rows go in short transactions, each with an audit ' +
      'row, beside the running service. Ctrl-C ends it after the transaction that runs. Several at once are fine. ' +
      'Without a terminal: kind, rows, oldest, newest, bytes and limit, separated by tabs.',
    examples: [
      ['latchkey cleanup', 'what would go'],
      ['latchkey cleanup --run --yes --quiet', 'every night, from cron'],
      ['latchkey cleanup --run --audit-after 400d --only audit', 'old audit rows, which otherwise stay'],
      [
        'latchkey cleanup --run --batch-size 1000 --pause 200',
        'the first time, on a large and busy database',
      ],
    ],
  }).action(action(terminal, cleanUp));
}
