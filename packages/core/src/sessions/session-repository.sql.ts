import { auditInsertFrom } from '../audit/audit-repository.js';
import { mailInsertFrom } from '../mail/outbox-repository.js';
import {
  deviceEvictionFrom,
  deviceNoticeOf,
  deviceUpsertFrom,
  heldBackReleaseFrom,
  IS_DEVICE_ACCEPTED,
  IS_DEVICE_NOTICED,
  nextDeviceNotice,
} from '../sign-in-devices/sign-in-device-repository.js';
import { idBatch, statement } from '../storage/database.js';
import { CLAIMS } from './rotation-repository.js';
import { sessionLevel } from './session-level.js';

const SET_REVOKED = `is_revoked = true, revoked_at = now(), revoke_reason`;
const REVOKED_COLUMNS =
  's.id, s.user_id, s.expires_at > now() AS was_active, s.acting_sub, s.acting_user_id, s.acting_name';

/** The children of the sessions of a recursive `tree`: those that hand-offs created, and those in which their users act for others. */
const CHILDREN = `SELECT child.id FROM tree CROSS JOIN LATERAL (
       SELECT id FROM sessions WHERE parent_session_id = tree.id
       UNION ALL
       SELECT id FROM sessions WHERE acting_session_id = tree.id
     ) AS child`;

/** The rows of a recursive `kept`: the session $3 of the user $1, and its ancestors. */
const KEPT = `SELECT id, parent_session_id FROM sessions WHERE id = $3 AND user_id = $1
     UNION
     SELECT parent.id, parent.parent_session_id FROM sessions parent JOIN kept ON parent.id = kept.parent_session_id`;

/** The statements that write sessions, and those that lock and find what they write. Only a rotation has its own. */
export const SESSION = {
  /**
   * Updates the user's row, which locks it: if a deactivation or a password change commits first, the condition
   * fails here; if it comes later, it waits and then finds this session among those it revokes.
   */
  insert: statement(
    'session_open',
    `WITH verified AS (
     UPDATE users SET last_login_at = CASE WHEN $7 = 'minted' THEN last_login_at ELSE now() END,
       device_notice_from = ${nextDeviceNotice('$22')}
     WHERE id = $2 AND is_active AND approval_status = 'APPROVED' AND token_version = $3
       AND ($4::text IS NULL OR password_hash = $4)
       AND ($19::integer IS NULL OR factor_version = $19)
       AND (NOT $21::boolean OR email_verified_at IS NOT NULL)
     RETURNING id, email, full_name, ${IS_DEVICE_NOTICED} AS is_device_noticed,
       ${IS_DEVICE_ACCEPTED} AS is_device_accepted
   ), opened AS (
     INSERT INTO sessions (id, user_id, selector_digest, secret_digest, origin, amr, auth_time, grant_digest,
       ip_address, user_agent, device_name, parent_session_id, root_created_at, expires_at, acr,
       acting_sub, acting_user_id, acting_name, acting_session_id, acting_reason, acting_until,
       external_identity_id, provider_session_id)
     SELECT $1, id, $5, $6, $7, $8, to_timestamp($9), $10, $11, $12, $13, $14, $15, least(
       now() + make_interval(secs => $16), coalesce($15::timestamptz, now()) + make_interval(secs => $17), $29::timestamptz), $20,
       $24, $25::uuid, $26, $27::uuid, $28, $29, $30::uuid, $31
     FROM verified
     RETURNING id
   ), recorded AS (${deviceUpsertFrom('verified', '$22', '$23')}
   ), released AS (${heldBackReleaseFrom('verified', '$22')}
   ), evicted AS (${deviceEvictionFrom('verified', '$22')}
   ), noticed AS (${deviceNoticeOf('verified', '$22', '$23')}
   ), mailed AS (${mailInsertFrom('noticed', 'true', 'noticed.notice')}
   ), audited AS (${auditInsertFrom('opened', '$18')})
   SELECT is_device_noticed FROM opened JOIN verified ON true`,
  ),
  /**
   * Skips rows that are locked elsewhere: a transaction that holds several of them must never wait for this.
   */
  touch: statement(
    'session_touch',
    `UPDATE sessions SET last_used_at = now() WHERE id = ANY(ARRAY(
     SELECT id FROM sessions
     WHERE id = ANY(${idBatch('$1')}) AND NOT is_revoked AND last_used_at < now() - interval '1 minute'
     FOR NO KEY UPDATE SKIP LOCKED))`,
  ),
  limitFromNow: statement(
    'session_limit_from_now',
    'SELECT least(now() + make_interval(secs => $1), $2::timestamptz) AS until',
  ),
  /**
   * Counts the confirmation as wrong before it is checked. If the process dies during the check, the session is
   * locked for 15 seconds, longer than any request lasts.
   */
  claimConfirmation: statement(
    'session_claim_confirmation',
    `UPDATE sessions
   SET failed_confirmations = failed_confirmations + 1, confirming_until = now() + interval '15 seconds'
   WHERE id = $1 AND NOT is_revoked AND expires_at > now() AND failed_confirmations < $2
     AND (confirming_until IS NULL OR confirming_until <= now())
   RETURNING id`,
  ),
  explainConfirmation: statement(
    'session_explain_confirmation',
    `SELECT CASE WHEN is_revoked THEN 'revoked' WHEN expires_at <= now() THEN 'expired'
     WHEN failed_confirmations >= $2 AND (confirming_until IS NULL OR confirming_until <= now()) THEN 'exhausted'
     ELSE 'busy' END AS claim
   FROM sessions WHERE id = $1`,
  ),
  confirm: statement(
    'session_confirm',
    'UPDATE sessions SET failed_confirmations = 0, confirming_until = NULL WHERE id = $1',
  ),
  takeBackConfirmation: statement(
    'session_take_back_confirmation',
    `UPDATE sessions
   SET failed_confirmations = greatest(failed_confirmations - 1, 0), confirming_until = NULL WHERE id = $1`,
  ),
  failConfirmation: statement(
    'session_fail_confirmation',
    `WITH failed AS (
     UPDATE sessions SET confirming_until = NULL WHERE id = $1 RETURNING id, failed_confirmations
   ), audited AS (${auditInsertFrom('failed', '$2')})
   SELECT failed_confirmations FROM failed`,
  ),
  /**
   * Locks the row of the user: a deactivation or a password change that commits first fails the condition, also after a
   * wait. The session is compared on its current row, so one that was revoked meanwhile is not raised; nor is one in which
   * an actor acts for the user. Nothing is ever
   * lowered: of simultaneous proofs each adds its methods, and the latest time stays.
   */
  raise: statement(
    'session_raise',
    `WITH u AS (
     SELECT id, global_role, token_version FROM users
     WHERE id = $2 AND is_active AND approval_status = 'APPROVED' AND token_version = $3
       AND ($4::text IS NULL OR password_hash = $4)
     FOR NO KEY UPDATE
   ), raised AS (
     UPDATE sessions s
     SET auth_time = greatest(s.auth_time, to_timestamp($6)),
       amr = s.amr || ARRAY(SELECT method FROM unnest($5::text[]) WITH ORDINALITY AS proof (method, place)
         WHERE method <> ALL (s.amr) ORDER BY place),
       acr = coalesce($8, s.acr),
       second_factor_at = CASE WHEN $8 = 'aal2' THEN now() ELSE s.second_factor_at END,
       step_up_ceremony_at = coalesce(to_timestamp($7::float8 / 1000), s.step_up_ceremony_at)
     FROM u
     WHERE s.id = $1 AND s.user_id = u.id AND NOT s.is_revoked AND s.expires_at > now() AND s.acting_sub IS NULL
       AND ($7::float8 IS NULL OR s.step_up_ceremony_at IS NULL
         OR s.step_up_ceremony_at < to_timestamp($7::float8 / 1000))
     RETURNING ${CLAIMS}
   ), audited AS (${auditInsertFrom('raised', '$9')})
   SELECT * FROM raised`,
  ),
  // A session never changes its user, so the row that is locked is the right one however long the wait was.
  lockOwner: statement(
    'session_lock_owner',
    `SELECT id FROM users WHERE id = (SELECT user_id FROM sessions WHERE id = $1) FOR NO KEY UPDATE`,
  ),
  lockOwnerBySelector: statement(
    'session_lock_owner_by_selector',
    `SELECT id FROM users WHERE id = (SELECT user_id FROM sessions WHERE selector_digest = $1) FOR NO KEY UPDATE`,
  ),
  lockUser: statement('session_lock_user', 'SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE'),
  findForLogout: statement(
    'session_for_logout',
    `SELECT id FROM sessions
   WHERE selector_digest = $1 AND NOT is_revoked
     AND ((generation = $2 AND secret_digest = $3) OR ($4::boolean AND generation > $2))`,
  ),
  /** A session with its descendants. UNION, not UNION ALL: the statement terminates whatever the rows contain. */
  revokeTree: statement(
    'session_revoke_tree',
    `WITH RECURSIVE tree AS (
     SELECT id FROM sessions WHERE id = $1
     UNION
     ${CHILDREN}
   )
   UPDATE sessions s SET ${SET_REVOKED} = $2
   FROM tree WHERE s.id = tree.id AND NOT s.is_revoked
   RETURNING ${REVOKED_COLUMNS}`,
  ),
  /**
   * Keeps a session and its ancestors; revokes all other descendants of the ancestors. Of the sessions in which the user acts for
   * others, those end that were to end with a revoked one.
   */
  revokeAllButPath: statement(
    'session_revoke_all_but_path',
    `WITH RECURSIVE kept AS (
     ${KEPT}
   )
   UPDATE sessions s SET ${SET_REVOKED} = $2
   WHERE NOT s.is_revoked AND s.id = ANY(ARRAY(
     SELECT id FROM sessions WHERE user_id = $1 AND NOT is_revoked AND id NOT IN (SELECT id FROM kept)
     UNION ALL
     SELECT id FROM sessions WHERE acting_user_id = $1 AND acting_session_id NOT IN (SELECT id FROM kept)))
   RETURNING ${REVOKED_COLUMNS}`,
  ),
  /** The sessions of a user with one factor, with their descendants, but not a session and its ancestors. */
  revokeOneFactor: statement(
    'session_revoke_one_factor',
    `WITH RECURSIVE kept AS (
     ${KEPT}
   ), tree AS (
     SELECT s.id FROM sessions s
     WHERE s.user_id = $1 AND NOT s.is_revoked AND ${sessionLevel('s')} = 'aal1' AND s.id NOT IN (SELECT id FROM kept)
     UNION
     ${CHILDREN}
   )
   UPDATE sessions s SET ${SET_REVOKED} = $2
   FROM tree WHERE s.id = tree.id AND NOT s.is_revoked
   RETURNING ${REVOKED_COLUMNS}`,
  ),
  /** The sessions of a user that an identity opened, with their descendants; of those with an id of the provider only that one. */
  revokeOfIdentity: statement(
    'session_revoke_of_identity',
    `WITH RECURSIVE tree AS (
     SELECT s.id FROM sessions s
     WHERE s.user_id = $1 AND s.external_identity_id = $3 AND NOT s.is_revoked
       AND ($4::text IS NULL OR s.provider_session_id = $4)
     UNION
     ${CHILDREN}
   )
   UPDATE sessions s SET ${SET_REVOKED} = $2
   FROM tree WHERE s.id = tree.id AND NOT s.is_revoked
   RETURNING ${REVOKED_COLUMNS}`,
  ),
  revokeAll: statement(
    'session_revoke_all',
    `UPDATE sessions s SET ${SET_REVOKED} = $2
   WHERE NOT s.is_revoked AND s.id = ANY(ARRAY(
     SELECT id FROM sessions WHERE user_id = $1 AND NOT is_revoked
     UNION ALL
     SELECT id FROM sessions WHERE acting_user_id = $1))
   RETURNING ${REVOKED_COLUMNS}`,
  ),
  /** The sessions in which others act for the user and, if $3, those in which the user acts for others. */
  revokeActed: statement(
    'session_revoke_acted',
    `UPDATE sessions s SET ${SET_REVOKED} = $2
   WHERE NOT s.is_revoked AND s.id = ANY(ARRAY(
     SELECT id FROM sessions WHERE acting_user_id = $1 AND $3::boolean
     UNION ALL
     SELECT id FROM sessions WHERE user_id = $1 AND NOT is_revoked AND acting_sub IS NOT NULL))
   RETURNING ${REVOKED_COLUMNS}`,
  ),
  // The parts of one statement see the addresses as they were before it.
  forgetClients: statement(
    'session_forget_clients',
    `WITH forgotten AS (
     UPDATE sessions SET ip_address = NULL, user_agent = NULL, device_name = NULL, acting_name = NULL, acting_reason = NULL,
       provider_session_id = NULL
     WHERE user_id = $1 AND is_revoked
   ), unnamed AS (
     UPDATE sessions SET acting_reason = NULL WHERE acting_user_id = $1 AND user_id <> $1 AND is_revoked
   )
   SELECT DISTINCT ip_address FROM sessions WHERE user_id = $1 AND is_revoked AND ip_address IS NOT NULL`,
  ),
};
