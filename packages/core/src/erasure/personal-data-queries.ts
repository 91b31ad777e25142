import { INVITATION_STATUS } from '../invitations/invitation-row.js';
import { readAs } from '../kernel/open-list.js';
import { selectCompanyMemberships } from '../memberships/membership-repository.js';
import {
  toBusinessUnitMembership,
  toCompanyMembership,
  type BusinessUnitMembershipRow,
  type CompanyMembershipRow,
} from '../memberships/membership-row.js';
import { toBusinessUnitMembershipView, toCompanyMembershipView } from '../memberships/membership-schema.js';
import { REVOKE_REASONS, SESSION_ORIGINS } from '../sessions/session.js';
import { statement, type Database, type Statement } from '../storage/database.js';
import type { TrustedDeviceView } from '../trusted-devices/trusted-device-schema.js';
import type { PersonalData } from './personal-data-schema.js';

/** Milliseconds in UTC, as all times of our answers. */
const iso = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const COMPANIES = statement(
  'export_company_memberships',
  `${selectCompanyMemberships('company_memberships')} WHERE m.user_id = $1 ORDER BY m.created_at DESC, m.id DESC LIMIT $2`,
);
const UNITS = statement(
  'export_business_unit_memberships',
  'SELECT * FROM business_unit_memberships WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2',
);
// Two partial indexes have the sessions of a user: those that are revoked, and the others.
const sessionsWhere = (condition: string): string =>
  `(SELECT * FROM sessions WHERE user_id = $1 AND ${condition} ORDER BY created_at DESC, id DESC LIMIT $2)`;
const SESSIONS = statement(
  'export_sessions',
  `SELECT id, origin, ip_address AS "ipAddress", user_agent AS "userAgent", device_name AS "deviceName",
     ${iso('created_at')} AS "createdAt", ${iso('last_used_at')} AS "lastUsedAt", ${iso('expires_at')} AS "expiresAt",
     ${iso('revoked_at')} AS "revokedAt", revoke_reason AS "revokeReason",
     CASE WHEN acting_sub IS NOT NULL THEN jsonb_build_object('userId', acting_user_id, 'reason', acting_reason,
       'name', coalesce(acting_name, (SELECT full_name FROM users WHERE id = acting_user_id))) END AS actor
   FROM (${sessionsWhere('is_revoked')} UNION ALL ${sessionsWhere('NOT is_revoked')}) AS s
   ORDER BY created_at DESC, id DESC LIMIT $2`,
);
const DEVICES = statement(
  'export_devices',
  `SELECT ${iso('first_used_at')} AS "firstUsedAt", ${iso('last_used_at')} AS "lastUsedAt",
     held_back->>'device' AS "deviceName", held_back->>'ipAddress' AS "ipAddress"
   FROM sign_in_devices WHERE user_id = $1 ORDER BY first_used_at DESC LIMIT $2`,
);
const TRUSTED_DEVICES = statement(
  'export_trusted_devices',
  `SELECT id, label, ip_address AS "ipAddress", ${iso('created_at')} AS "createdAt", ${iso('last_used_at')} AS "lastUsedAt",
     ${iso('expires_at')} AS "expiresAt"
   FROM trusted_devices WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2`,
);
const PROFILE_PICTURE = statement(
  'export_profile_picture',
  `SELECT content_type AS "contentType", width, height, ${iso('updated_at')} AS "updatedAt", content
   FROM user_pictures WHERE user_id = $1`,
);
// What others send to an address is about its owner, who may not be the person who registered it.
const IS_PROVED = 'EXISTS (SELECT FROM users WHERE id = $1 AND email_verified_at IS NOT NULL)';
const MAILS = statement(
  'export_mails',
  `SELECT kind, recipient, ${iso('created_at')} AS "createdAt", ${iso('sent_at')} AS "sentAt"
   FROM mail_outbox WHERE user_id = $1 AND (kind NOT IN ('invitation', 'email_change') OR ${IS_PROVED}) ORDER BY created_at DESC, id DESC LIMIT $2`,
);
const INVITATIONS = statement(
  'export_invitations',
  `SELECT id, email, company_id AS "companyId", role, ${INVITATION_STATUS} AS status,
     coalesce(invited_by_user_id = $1, false) AS "isOwn",
     ${iso('created_at')} AS "createdAt", ${iso('accepted_at')} AS "acceptedAt"
   FROM invitations WHERE id = ANY(ARRAY(
     SELECT id FROM invitations WHERE accepted_by_user_id = $1
     UNION SELECT id FROM invitations WHERE email = (SELECT email FROM users WHERE id = $1) AND ${IS_PROVED}
     UNION SELECT id FROM invitations WHERE invited_by_user_id = $1))
   ORDER BY created_at DESC, id DESC LIMIT $2`,
);
const EMAIL_CHANGES = statement(
  'export_email_changes',
  `SELECT new_email AS "newEmail", old_email AS "oldEmail", ${iso('created_at')} AS "requestedAt",
     ${iso('confirmed_at')} AS "confirmedAt"
   FROM email_changes WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2`,
);
const API_KEYS = statement(
  'export_api_keys',
  `SELECT id, kind, name, hint, company_id AS "companyId", ${iso('created_at')} AS "createdAt",
     ${iso('expires_at')} AS "expiresAt", ${iso('last_used_at')} AS "lastUsedAt", last_used_ip AS "lastUsedIp",
     ${iso('revoked_at')} AS "revokedAt", revoke_reason AS "revokeReason"
   FROM api_keys WHERE id = ANY(ARRAY(
     SELECT id FROM api_keys WHERE user_id = $1
     UNION SELECT id FROM api_keys WHERE created_by_user_id = $1))
   ORDER BY created_at DESC, id DESC LIMIT $2`,
);
const WEBHOOKS = statement(
  'export_webhooks',
  `SELECT id, company_id AS "companyId", description, ${iso('created_at')} AS "createdAt"
   FROM webhook_endpoints WHERE created_by_user_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2`,
);
const LINKED_ACCOUNTS = statement(
  'export_linked_accounts',
  `SELECT id, connection_id AS "connectionId", subject, email, email_verified AS "emailVerified",
     ${iso('created_at')} AS "createdAt", ${iso('last_used_at')} AS "lastUsedAt"
   FROM external_identities WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2`,
);
type Lists = Pick<
  PersonalData,
  | 'sessions'
  | 'apiKeys'
  | 'webhooks'
  | 'linkedAccounts'
  | 'devices'
  | 'mails'
  | 'invitations'
  | 'emailChanges'
>;
type SessionRow = Omit<Lists['sessions'][number], 'origin' | 'revokeReason'> & {
  origin: string;
  revokeReason: string | null;
};

/** Reads what is kept about one user, list by list, newest first. */
export class PersonalDataQueries {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns all memberships, also those that have ended, at most `limit` of each kind. */
  async memberships(
    userId: string,
    limit: number,
  ): Promise<Pick<PersonalData, 'companyMemberships' | 'businessUnitMemberships'>> {
    const companies = await this.#read<CompanyMembershipRow>(COMPANIES, userId, limit);
    const units = await this.#read<BusinessUnitMembershipRow>(UNITS, userId, limit);
    return {
      companyMemberships: companies.map((row) => toCompanyMembershipView(toCompanyMembership(row))),
      businessUnitMemberships: units.map((row) =>
        toBusinessUnitMembershipView(toBusinessUnitMembership(row)),
      ),
    };
  }

  /** Returns the other lists, at most `limit` rows of each. */
  async lists(userId: string, limit: number): Promise<Lists> {
    return {
      sessions: (await this.#read<SessionRow>(SESSIONS, userId, limit)).map(toSession),
      apiKeys: await this.#read<Lists['apiKeys'][number]>(API_KEYS, userId, limit),
      webhooks: await this.#read<Lists['webhooks'][number]>(WEBHOOKS, userId, limit),
      linkedAccounts: await this.#read<Lists['linkedAccounts'][number]>(LINKED_ACCOUNTS, userId, limit),
      devices: await this.#read<Lists['devices'][number]>(DEVICES, userId, limit),
      mails: await this.#read<Lists['mails'][number]>(MAILS, userId, limit),
      invitations: await this.#read<Lists['invitations'][number]>(INVITATIONS, userId, limit),
      emailChanges: await this.#read<Lists['emailChanges'][number]>(EMAIL_CHANGES, userId, limit),
    };
  }

  /** Returns the trusted devices, also those that have expired, at most `limit`. */
  trustedDevices(userId: string, limit: number): Promise<TrustedDeviceView[]> {
    return this.#read<TrustedDeviceView>(TRUSTED_DEVICES, userId, limit);
  }

  /** Returns the uploaded picture. */
  async profilePicture(userId: string): Promise<PersonalData['profilePicture']> {
    const [row] = await this.#database.query<
      Omit<NonNullable<PersonalData['profilePicture']>, 'content'> & { content: Buffer }
    >(PROFILE_PICTURE, [userId]);
    return row && { ...row, content: row.content.toString('base64') };
  }

  #read<Row extends object>(list: Statement, userId: string, limit: number): Promise<Row[]> {
    return this.#database.query<Row>(list, [userId, limit]);
  }
}

const toSession = ({ origin, revokeReason, ...row }: SessionRow): Lists['sessions'][number] => ({
  ...row,
  origin: readAs(SESSION_ORIGINS, origin),
  revokeReason: revokeReason === null ? null : readAs(REVOKE_REASONS, revokeReason),
});
