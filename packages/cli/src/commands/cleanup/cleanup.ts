import { InvalidArgumentError, Option, type Command } from 'commander';
import type { RetentionKind } from '@latchkey/operations';
import { RETENTION_KINDS } from '@latchkey/operations/names';
import { action } from '../../runtime/call.js';
import { wholeNumber, withCommonOptions } from '../../runtime/command-options.js';
import { durationOption } from '../../runtime/duration-option.js';
import type { Terminal } from '../../runtime/terminal.js';
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

/** Adds the options of the kinds to delete, their retention times, and the pace. */
function withCleanupOptions(command: Command): Command {
  return command
    .option('--run', 'delete the rows; without this option they are only counted')
    .option(
      '--sessions-after <time>',
      'how long ended sessions stay: 30d, or their maximum lifetime',
      durationOption,
    )
    .option(
      '--resets-after <time>',
      'how long used and expired links of resets and registrations stay: 7d',
      durationOption,
    )
    .option(
      '--invitations-after <time>',
      'how long closed and expired invitations stay: 400d',
      durationOption,
    )
    .option('--api-keys-after <time>', 'how long ended API keys stay: 90d', durationOption)
    .option('--mail-after <time>', 'how long sent and failed mail stays: 30d', durationOption)
    .option('--revocations-after <time>', 'how long entries of the revocation feed stay: 25h', durationOption)
    .option('--webhooks-after <time>', 'how long sent messages of webhooks stay: 7d', durationOption)
    .option('--roles-after <time>', 'how long earlier contents of roles stay: 400d', durationOption)
    .option('--audit-after <time>', 'how long audit rows stay: indefinitely', durationOption)
    .addOption(new Option('--only <kinds>', `only some of ${RETENTION_KINDS.join(',')}`).argParser(readKinds))
    .option('--batch-size <n>', 'rows read in one transaction', wholeNumber(1, 20_000), 5000)
    .option('--pause <ms>', 'milliseconds between two transactions', wholeNumber(0, 60_000), 0);
}

function readKinds(text: string): RetentionKind[] {
  return text.split(',').map((name) => {
    const kind = RETENTION_KINDS.find((each) => each === name.trim());
    if (kind === undefined)
      throw new InvalidArgumentError(`It must be some of ${RETENTION_KINDS.join(',')}.`);
    return kind;
  });
}
