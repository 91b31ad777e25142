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
      'Delete expired sessions, reset links, invitations, mail and revocations. Previews by default.',
    );
  withCommonOptions(withCleanupOptions(command), {
    json:
      'array of { kind, keep, before, count, oldest, newest, bytes }; with --run ' +
      '{ removed: { <kind>: number }, isComplete }',
    audited: true,
    quiet: 'print only the number of rows',
    confirms: true,
    notes:
      'Times need a unit: 12h, 30d. Rows are deleted that ended longer ago than that, by the clock of the ' +
      'database. Rows that may still have an effect stay, and a time that is too short is rejected: sessions stay ' +
      'for the longer of REFRESH_TOKEN_TTL and SESSION_MAX_LIFETIME, so that their tokens get ' +
      'session_revoked; reset links for 1h, invitations for INVITATION_TTL, revocations for 25h. Waiting mail is never deleted. PostgreSQL reuses ' +
      'the space; it is not returned to the disk. Rows are deleted in short transactions, each with an audit ' +
      'row, beside the running service. Ctrl-C stops it after the current transaction. Concurrent runs are safe. ' +
      'Without a terminal: kind, rows, oldest, newest, bytes and limit, separated by tabs.',
    examples: [
      ['latchkey cleanup', 'preview'],
      ['latchkey cleanup --run --yes --quiet', 'every night, from cron'],
      ['latchkey cleanup --run --audit-after 400d --only audit', 'old audit rows, which are kept by default'],
      ['latchkey cleanup --run --batch-size 1000 --pause 200', 'the first run, on a large and busy database'],
    ],
  }).action(action(terminal, cleanUp));
}
