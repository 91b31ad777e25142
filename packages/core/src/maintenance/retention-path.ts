import type { RetentionKind } from './retention.js';

/** A way through a table, along a key that an index keeps in order. */
export interface Path {
  /** Names its statements. */
  name: string;
  kind: RetentionKind;
  table: string;
  /** Never later than a row's end, so that what is younger need not be looked at. */
  key: string;
  /** What the index holds, where that is not the whole table. */
  among?: string;
  /** When a row came to its end. */
  end: string;
  /** What must hold besides before a row may go. */
  provided?: string;
}

// A reset that was used answers the requests made before it, as long as the mail of one of them may still leave.
const OLDEST_OPEN_REQUEST = `(SELECT coalesce(date_trunc('milliseconds', min(created_at)), 'infinity')
     FROM mail_outbox WHERE kind = 'password_reset' AND status IN ('PENDING', 'DEAD'))`;

/** Where the rows of each kind are, and when one of them is past its use. */
export const RETENTION_PATHS: readonly Path[] = [
  {
    name: 'expired_sessions',
    kind: 'sessions',
    table: 'sessions',
    among: 'NOT is_revoked',
    key: 'created_at',
    end: 'expires_at',
    // A session that was opened from it is found through it when one of its ancestors is ended.
    provided: 'NOT EXISTS (SELECT 1 FROM sessions child WHERE child.parent_session_id = t.id)',
  },
  {
    name: 'revoked_sessions',
    kind: 'sessions',
    table: 'sessions',
    among: 'is_revoked',
    key: 'revoked_at',
    end: 'revoked_at',
    // One that was to live longer, under former settings, has tokens that are out for longer.
    provided: 'expires_at <= now()',
  },
  {
    name: 'resets',
    kind: 'resets',
    table: 'password_reset_tokens',
    key: 'created_at',
    end: 'coalesce(used_at, revoked_at, expires_at)',
    provided: `coalesce(used_at, revoked_at, expires_at) < ${OLDEST_OPEN_REQUEST}`,
  },
  {
    // Links like those of resets. One whose mail never left has no end of its own.
    name: 'email_verifications',
    kind: 'resets',
    table: 'email_verification_tokens',
    key: 'created_at',
    end: "coalesce(used_at, revoked_at, expires_at, created_at + interval '30 days')",
  },
  {
    name: 'invitations',
    kind: 'invitations',
    table: 'invitations',
    key: 'created_at',
    end: 'coalesce(accepted_at, cancelled_at, expires_at)',
  },
  {
    name: 'mail',
    kind: 'mail',
    table: 'mail_outbox',
    key: 'created_at',
    end: 'coalesce(sent_at, next_attempt_at)',
    provided: `status <> 'PENDING'`,
  },
  { name: 'audit', kind: 'audit', table: 'auth_audit_logs', key: 'occurred_at', end: 'occurred_at' },
];
