import { CEREMONY_SECONDS } from '@latchkey/core/internal/passkeys/passkey';
import { REVOCATION_MATTERS_SECONDS } from '@latchkey/core/internal/revocations/revocation';
import type { Settings } from '@latchkey/core/internal/settings/settings';

/** The kinds of rows that `maintenance` removes, in the order of their removal. */
export const RETENTION_KINDS = [
  'sessions',
  'resets',
  'invitations',
  'api-keys',
  'mail',
  'webhooks',
  'revocations',
  'roles',
  'audit',
] as const;
/** A kind of rows that a clean-up removes after their end. */
export type RetentionKind = (typeof RETENTION_KINDS)[number];

/** The time, in seconds, for which rows of one kind are kept after their end. */
export interface Retention {
  kind: RetentionKind;
  /** The default; undefined means indefinitely. */
  defaultKeep: number | undefined;
  /** The minimum: rows may still affect decisions for this long after their end. */
  minimumKeep: number;
  /** The setting or the rule that requires `minimumKeep`. */
  reason: string;
}

type RetentionSettings = Pick<Settings, 'sessions' | 'tokens' | 'oneTimeSecrets'>;

const HOUR = 3600;
const DAY = 24 * HOUR;

/** Returns the retention of each kind under these settings. */
export function retentionsOf(settings: RetentionSettings): Retention[] {
  const { invitationTtl } = settings.oneTimeSecrets;
  return [
    sessionRetention(settings),
    {
      kind: 'resets',
      defaultKeep: 7 * DAY,
      minimumKeep: HOUR,
      reason: 'replicas of the previous version count them',
    },
    {
      kind: 'invitations',
      defaultKeep: atLeast(invitationTtl, 400 * DAY),
      minimumKeep: invitationTtl,
      reason: 'INVITATION_TTL',
    },
    {
      kind: 'api-keys',
      defaultKeep: 90 * DAY,
      minimumKeep: HOUR,
      reason: 'keys that were made in the last hour are counted',
    },
    { kind: 'mail', defaultKeep: 30 * DAY, minimumKeep: 0, reason: '' },
    { kind: 'webhooks', defaultKeep: 7 * DAY, minimumKeep: 0, reason: '' },
    {
      kind: 'revocations',
      defaultKeep: REVOCATION_MATTERS_SECONDS,
      minimumKeep: REVOCATION_MATTERS_SECONDS,
      reason: 'the longest possible ACCESS_TOKEN_TTL, with leeway',
    },
    { kind: 'roles', defaultKeep: 400 * DAY, minimumKeep: 0, reason: '' },
    {
      kind: 'audit',
      defaultKeep: undefined,
      minimumKeep: DAY,
      reason: 'a log of less than a day is of no use',
    },
  ];
}

/**
 * Returns the retention of sessions. While tokens of an ended session exist, they are answered `session_revoked`. And
 * while the grant of a session could reappear in a restored Redis, the row of the session prevents a second use.
 */
function sessionRetention({ sessions, tokens, oneTimeSecrets }: RetentionSettings): Retention {
  const minimums: [reason: string, seconds: number][] = [
    ['SESSION_MAX_LIFETIME', sessions.maxLifetime],
    ['REFRESH_TOKEN_TTL', sessions.refreshTokenTtl],
    ['ACCESS_TOKEN_TTL', tokens.accessTokenTtl],
    ['SESSION_CACHE_TTL', sessions.cacheTtl],
    ['HANDOFF_TTL', oneTimeSecrets.handoffTtl],
    ['the duration of a passkey ceremony', CEREMONY_SECONDS],
  ];
  const [reason, minimumKeep] = minimums.reduce((longest, each) => (each[1] > longest[1] ? each : longest));
  return { kind: 'sessions', defaultKeep: atLeast(minimumKeep, 30 * DAY), minimumKeep, reason };
}

const atLeast = Math.max;
