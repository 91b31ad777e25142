import { CEREMONY_SECONDS } from '../passkeys/passkey.js';
import type { Settings } from '../settings/settings.js';

/**
 * The kinds of rows that `maintenance` removes, in the order in which it removes them.
 * @example
 * ```ts
 * const [first] = await kit.auth.maintenance.plan();
 * first?.kind === RETENTION_KINDS[0]; // → true
 * ```
 */
export const RETENTION_KINDS = ['sessions', 'resets', 'invitations', 'mail', 'audit'] as const;
/**
 * What is cleaned up: rows whose time is over, by kind.
 * @example
 * ```ts
 * const kind: RetentionKind = 'invitations';
 * const [plan] = await kit.auth.maintenance.plan({ only: [kind] });
 * plan?.count; // → 0
 * ```
 */
export type RetentionKind = (typeof RETENTION_KINDS)[number];

/** How long rows of one kind stay after their end, in seconds. */
export interface Retention {
  kind: RetentionKind;
  /** Unless told otherwise; undefined: for ever. */
  usual: number | undefined;
  /** For so long a row that has ended may still have an effect. */
  least: number;
  /** The setting or the rule that asks for `least`. */
  because: string;
}

type Needs = Pick<Settings, 'sessions' | 'tokens' | 'oneTimeSecrets'>;

const HOUR = 3600;
const DAY = 24 * HOUR;

/** How long everything stays under these settings. */
export function retentionsOf(settings: Needs): Retention[] {
  const { invitationTtl } = settings.oneTimeSecrets;
  return [
    sessionRetention(settings),
    { kind: 'resets', usual: 7 * DAY, least: HOUR, because: 'replicas of the previous version count them' },
    {
      kind: 'invitations',
      usual: atLeast(invitationTtl, 400 * DAY),
      least: invitationTtl,
      because: 'INVITATION_TTL',
    },
    { kind: 'mail', usual: 30 * DAY, least: 0, because: '' },
    { kind: 'audit', usual: undefined, least: DAY, because: 'a log of less than a day tells nothing' },
  ];
}

/**
 * While a token of an ended session is out, it is answered `session_revoked`. And while the grant that a session came
 * from could come back with a restored Redis, the session's row keeps it from being spent twice.
 */
function sessionRetention({ sessions, tokens, oneTimeSecrets }: Needs): Retention {
  const needs: [because: string, seconds: number][] = [
    ['SESSION_MAX_LIFETIME', sessions.maxLifetime],
    ['REFRESH_TOKEN_TTL', sessions.refreshTokenTtl],
    ['ACCESS_TOKEN_TTL', tokens.accessTokenTtl],
    ['SESSION_CACHE_TTL', sessions.cacheTtl],
    ['HANDOFF_TTL', oneTimeSecrets.handoffTtl],
    ['the time of a passkey ceremony', CEREMONY_SECONDS],
  ];
  const [because, least] = needs.reduce((longest, need) => (need[1] > longest[1] ? need : longest));
  return { kind: 'sessions', usual: atLeast(least, 30 * DAY), least, because };
}

const atLeast = Math.max;
