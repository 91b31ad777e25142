import type { CleanupOrder, CleanupRequest, RetentionKind } from '@latchkey/operations';
import { RETENTION_KINDS } from '@latchkey/operations/names';
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
