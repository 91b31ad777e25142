import { bulkInsert, bulkRows } from '../storage/bulk-insert.js';
import { idBatch, statement } from '../storage/database.js';
import { PROFILE_COLUMNS } from './profile-fields.js';
import { userColumns } from './user-row.js';

/** The columns that an update may set. */
export const CHANGEABLE_COLUMNS = [
  'email',
  'full_name',
  ...PROFILE_COLUMNS,
  'auth_provider',
  'global_role',
  'approval_status',
  'is_active',
] as const;

const CLEARED_PROFILE = PROFILE_COLUMNS.map((column) => `${column} = NULL`).join(', ');
const PROFILE_TYPES = Object.fromEntries(PROFILE_COLUMNS.map((column) => [column, 'text']));
const KEPT_OR_CHANGED = PROFILE_COLUMNS.map((column) => `${column} = coalesce(r.${column}, u.${column})`);

/** The deletion can no longer be undone. Staff are left out: a user who has become one has others who need them. */
const IS_DUE = "delete_at <= now() AND NOT is_active AND global_role = 'NONE'";

/** The statements that write users, and those that find and lock what they write. */
export const USER = {
  findForLogin: statement(
    'user_for_login',
    `SELECT ${userColumns().join(', ')}, password_hash FROM users WHERE email = $1`,
  ),
  findWithPassword: statement(
    'user_with_password',
    `SELECT ${userColumns().join(', ')}, password_hash FROM users WHERE id = $1`,
  ),
  findById: statement('user_by_id', `SELECT ${userColumns().join(', ')} FROM users WHERE id = $1`),
  findByEmail: statement('user_by_email', `SELECT ${userColumns().join(', ')} FROM users WHERE email = $1`),
  insert: statement(
    'user_insert',
    `INSERT INTO users (id, password_hash, legacy_ids, email_verified_at, ${CHANGEABLE_COLUMNS.join(', ')})
   VALUES ($1, $2, $3, CASE WHEN $4::boolean THEN now() END, ${CHANGEABLE_COLUMNS.map((_, index) => `$${index + 5}`).join(', ')})
   ON CONFLICT (email) DO NOTHING
   RETURNING ${userColumns().join(', ')}`,
  ),
  replaceHash: statement(
    'user_replace_hash',
    'UPDATE users SET password_hash = $3, updated_at = now() WHERE id = $1 AND password_hash = $2 RETURNING id',
  ),
  /** The former address of a user is theirs while its owner may undo the change. */
  isReserved: statement(
    'user_email_reserved',
    `SELECT 1 AS found FROM email_changes
   WHERE old_email = $1 AND user_id <> $2 AND undo_ended_at IS NULL AND undo_expires_at > now() LIMIT 1`,
  ),
  emails: statement(
    'user_emails',
    `SELECT id, email FROM users WHERE id = ANY(${idBatch('$1')}) AND erased_at IS NULL`,
  ),
  wrongCodes: statement('wrong_codes_read', 'SELECT wrong_codes FROM users WHERE id = $1'),
  countWrongCode: statement(
    'wrong_codes_count',
    `UPDATE users SET wrong_codes = wrong_codes + 1, wrong_codes_noticed_at =
     CASE WHEN wrong_codes + 1 >= $2 AND coalesce(wrong_codes_noticed_at <= now() - interval '1 day', true)
       THEN now() ELSE wrong_codes_noticed_at END
   WHERE id = $1
   RETURNING wrong_codes, coalesce(wrong_codes_noticed_at = now(), false) AS is_noticed`,
  ),
  clearWrongCodes: statement(
    'wrong_codes_clear',
    'UPDATE users SET wrong_codes = 0 WHERE id = $1 AND wrong_codes > 0',
  ),
  /** Requests that write a mail or an audit row about the user hold it in shared mode, by a trigger. */
  fenceErasure: statement(
    'user_erasure_fence',
    `SELECT pg_advisory_xact_lock(hashtextextended('erasure:' || $1::text, 0))`,
  ),
  erase: statement(
    'user_erase',
    `UPDATE users SET email = $2, full_name = NULL, ${CLEARED_PROFILE},
     legacy_ids = '{}', password_hash = NULL, auth_provider = 'password', email_verified_at = NULL,
     password_changed_at = NULL, reset_mails_full_at = NULL, device_notice_from = NULL, last_login_at = NULL,
     global_role = 'NONE', approval_status = 'REJECTED', is_active = false, delete_at = NULL,
     token_version = token_version + 1, factor_version = factor_version + 1, updated_at = now(), erased_at = now()
   WHERE id = $1 AND erased_at IS NULL
   RETURNING ${userColumns().join(', ')}`,
  ),
  /** Of simultaneous requests one returns a row; so does none of a user who has become staff. */
  requestDeletion: statement(
    'user_request_deletion',
    `UPDATE users SET is_active = false, delete_at = now() + make_interval(days => $2), token_version = token_version + 1,
     updated_at = now()
   WHERE id = $1 AND is_active AND global_role = 'NONE' RETURNING delete_at`,
  ),
  undoDeletion: statement(
    'user_undo_deletion',
    'UPDATE users SET is_active = true, updated_at = now() WHERE id = $1 AND delete_at IS NOT NULL RETURNING id',
  ),
  findDueDeletions: statement(
    'user_deletions_due',
    `SELECT id FROM users WHERE id > $1 AND ${IS_DUE} ORDER BY id LIMIT $2`,
  ),
  countDeletions: statement(
    'user_deletions_counted',
    `SELECT count(*) FILTER (WHERE NOT is_overdue)::int AS pending, count(*) FILTER (WHERE is_overdue)::int AS overdue
   FROM (SELECT ${IS_DUE} AND delete_at < now() - interval '1 day' AS is_overdue FROM users WHERE delete_at IS NOT NULL) AS deletion`,
  ),
  /** Another process may be erasing the user. */
  lockDueDeletion: statement(
    'user_deletion_lock',
    `SELECT ${userColumns().join(', ')} FROM users WHERE id = $1 AND ${IS_DUE} FOR UPDATE SKIP LOCKED`,
  ),
  emailsOfOthers: statement(
    'user_emails_of_others',
    'SELECT email FROM users WHERE email = ANY($1::text[]) AND id <> $2',
  ),
  importNew: statement(
    'import_users',
    bulkInsert(
      'users',
      {
        id: 'uuid',
        email: 'text',
        password_hash: 'text',
        full_name: 'text',
        ...PROFILE_TYPES,
        auth_provider: 'text',
        global_role: 'text',
        approval_status: 'text',
        is_active: 'boolean',
        legacy_ids: 'jsonb',
        email_verified_at: 'timestamptz',
        password_changed_at: 'timestamptz',
        last_login_at: 'timestamptz',
        created_at: 'timestamptz',
        updated_at: 'timestamptz',
      },
      'ON CONFLICT DO NOTHING RETURNING id',
    ),
  ),
  /** An update changes the profile, and nothing of how the user signs in or of what they may do. */
  importChanges: statement(
    'import_update_users',
    `UPDATE users u SET
     full_name = coalesce(r.full_name, u.full_name),
     ${KEPT_OR_CHANGED.join(', ')},
     legacy_ids = u.legacy_ids || r.legacy_ids,
     updated_at = now()
   FROM ${bulkRows('$1', {
     id: 'uuid',
     full_name: 'text',
     ...PROFILE_TYPES,
     legacy_ids: 'jsonb',
   })}
   WHERE u.id = r.id`,
  ),
};
