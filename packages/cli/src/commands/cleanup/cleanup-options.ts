import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CleanupOrder, CleanupRequest, RetentionKind } from '@latchkey/operations';
import { RETENTION_KINDS } from '@latchkey/operations/names';
import { wholeNumber } from '../../runtime/command-options.js';
import { durationOption } from '../../runtime/duration-option.js';
import { CommandError } from '../../runtime/failure.js';

export interface CleanupOptions {
  run?: boolean;
  sessionsAfter?: number;
  resetsAfter?: number;
  invitationsAfter?: number;
  apiKeysAfter?: number;
  mailAfter?: number;
  revocationsAfter?: number;
  webhooksAfter?: number;
  rolesAfter?: number;
  auditAfter?: number;
  only?: RetentionKind[];
  batchSize: number;
  pause: number;
}

/** Adds the options of the kinds to delete, their retention times, and the pace. */
export function withCleanupOptions(command: Command): Command {
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

/** Returns the request of the options. @throws CommandError for a time of a kind that --only omits. */
export function requestOf(options: CleanupOptions): CleanupRequest {
  const { only } = options;
  const keep = keepOf(options);
  const stray = RETENTION_KINDS.find((kind) => keep[kind] !== undefined && only?.includes(kind) === false);
  if (stray !== undefined) throw CommandError.usage(`--only omits ${stray}, but --${stray}-after is given.`);
  return { keep, only };
}

export const orderOf = (options: CleanupOptions): CleanupOrder => ({
  ...requestOf(options),
  batchSize: options.batchSize,
  pauseMs: options.pause,
});

/** Returns the command line that deletes what the preview showed. */
export function commandOf(options: CleanupOptions, durationText: (seconds: number) => string): string {
  const keep = keepOf(options);
  const ages = RETENTION_KINDS.flatMap((kind) => {
    const seconds = keep[kind];
    return seconds === undefined ? [] : [`--${kind}-after ${durationText(seconds)}`];
  });
  const only = options.only ? [`--only ${options.only.join(',')}`] : [];
  return ['latchkey cleanup --run', ...ages, ...only].join(' ');
}

const keepOf = (options: CleanupOptions): Partial<Record<RetentionKind, number | undefined>> => ({
  sessions: options.sessionsAfter,
  resets: options.resetsAfter,
  invitations: options.invitationsAfter,
  'api-keys': options.apiKeysAfter,
  mail: options.mailAfter,
  revocations: options.revocationsAfter,
  webhooks: options.webhooksAfter,
  roles: options.rolesAfter,
  audit: options.auditAfter,
});

function readKinds(text: string): RetentionKind[] {
  return text.split(',').map((name) => {
    const kind = RETENTION_KINDS.find((each) => each === name.trim());
    if (kind === undefined)
      throw new InvalidArgumentError(`It must be some of ${RETENTION_KINDS.join(',')}.`);
    return kind;
  });
}
