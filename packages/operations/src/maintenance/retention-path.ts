import { WRONG_CODES_SECONDS } from '@latchkey/core/internal/factors/challenge';
import type { RetentionKind } from './retention.js';

/** A scan order of a table, along a key that has an index. */
export interface RetentionPath {
  /** Part of the names of its statements. */
  name: string;
  kind: RetentionKind;
  table: string;
  /** Never later than a row's end, so that younger rows need not be scanned. */
  key: string;
  /** The condition of a partial index. */
  where?: string;
  /** The end of a row. */
  end: string;
  /** A further condition for the removal of a row. */
  whereRemovable?: string;
}

// A used reset invalidates earlier requests, as long as the mail of one of them may still be sent.
const OLDEST_OPEN_REQUEST = `(SELECT coalesce(date_trunc('milliseconds', min(created_at)), 'infinity')
     FROM mail_outbox WHERE kind = 'password_reset' AND status IN ('PENDING', 'DEAD'))`;

/** The tables of each kind, and the conditions for a removal. */
export const RETENTION_PATHS: readonly RetentionPath[] = [
  {
    name: 'expired_sessions',
    kind: 'sessions',
    table: 'sessions',
    where: 'NOT is_revoked',
    key: 'created_at',
    end: 'expires_at',
    // A session that was created from it is found through it when one of its ancestors is revoked.
    whereRemovable: 'NOT EXISTS (SELECT 1 FROM sessions child WHERE child.parent_session_id = t.id)',
  },
  {
    name: 'revoked_sessions',
    kind: 'sessions',
    table: 'sessions',
    where: 'is_revoked',
    key: 'revoked_at',
    end: 'revoked_at',
    // A session with a longer lifetime, under former settings, has tokens that are valid for longer.
    whereRemovable: 'expires_at <= now()',
  },
  {
    name: 'resets',
    kind: 'resets',
    table: 'password_reset_tokens',
    key: 'created_at',
    end: 'coalesce(used_at, revoked_at, expires_at)',
    whereRemovable: `coalesce(used_at, revoked_at, expires_at) < ${OLDEST_OPEN_REQUEST}`,
  },
  {
    // Links like those of resets. A token whose mail was never sent has no end of its own.
    name: 'email_verifications',
    kind: 'resets',
    table: 'email_verification_tokens',
    key: 'created_at',
    end: "coalesce(used_at, revoked_at, expires_at, created_at + interval '30 days')",
    // While the user may request the mail again, an open token shows that staff have not decided against the registration.
    whereRemovable: `(used_at IS NOT NULL OR revoked_at IS NOT NULL OR NOT EXISTS (
       SELECT 1 FROM users WHERE users.id = t.user_id AND users.email_verified_at IS NULL))`,
  },
  {
    // The link that undoes a change is the last thing to end.
    name: 'email_changes',
    kind: 'resets',
    table: 'email_changes',
    key: 'created_at',
    end: "coalesce(undo_ended_at, undo_expires_at, ended_at, expires_at, created_at + interval '30 days')",
  },
  {
    // For as long as the wrong codes of a challenge count for its account.
    name: 'second_factor_challenges',
    kind: 'resets',
    table: 'second_factor_challenges',
    key: 'created_at',
    end: `created_at + interval '${WRONG_CODES_SECONDS} seconds'`,
  },
  {
    // Those that wait to be linked have a later end.
    name: 'external_flows',
    kind: 'resets',
    table: 'external_flows',
    key: 'created_at',
    end: 'expires_at',
  },
  { name: 'mailed_sign_ins', kind: 'resets', table: 'mailed_sign_ins', key: 'created_at', end: 'expires_at' },
  { name: 'deletion_links', kind: 'resets', table: 'deletion_links', key: 'created_at', end: 'delete_at' },
  { name: 'trusted_devices', kind: 'resets', table: 'trusted_devices', key: 'created_at', end: 'expires_at' },
  {
    name: 'unconfirmed_factors',
    kind: 'resets',
    table: 'totp_factors',
    where: 'confirmed_at IS NULL',
    key: 'created_at',
    end: 'expires_at',
  },
  {
    name: 'invitations',
    kind: 'invitations',
    table: 'invitations',
    key: 'created_at',
    end: 'coalesce(accepted_at, cancelled_at, expires_at)',
  },
  {
    name: 'expired_api_keys',
    kind: 'api-keys',
    table: 'api_keys',
    where: 'revoked_at IS NULL',
    key: 'expires_at',
    end: 'expires_at',
  },
  {
    name: 'revoked_api_keys',
    kind: 'api-keys',
    table: 'api_keys',
    where: 'revoked_at IS NOT NULL',
    key: 'revoked_at',
    end: 'revoked_at',
  },
  {
    name: 'mail',
    kind: 'mail',
    table: 'mail_outbox',
    key: 'created_at',
    end: 'coalesce(sent_at, next_attempt_at)',
    whereRemovable: `status <> 'PENDING'`,
  },
  {
    // Deliveries that were given up stay 23 days longer, because someone may want to send them again.
    name: 'webhooks',
    kind: 'webhooks',
    table: 'webhook_deliveries',
    key: 'created_at',
    end: "coalesce(ended_at, created_at) + CASE WHEN status = 'DEAD' THEN interval '23 days' ELSE interval '0' END",
    whereRemovable: `status <> 'PENDING'`,
  },
  {
    name: 'revocations',
    kind: 'revocations',
    table: 'revocations',
    key: 'created_at',
    end: 'created_at',
  },
  {
    name: 'role_revisions',
    kind: 'roles',
    table: 'company_role_revisions',
    where: 'valid_until IS NOT NULL',
    key: 'valid_until',
    end: 'valid_until',
  },
  { name: 'audit', kind: 'audit', table: 'auth_audit_logs', key: 'occurred_at', end: 'occurred_at' },
];
