import type pg from 'pg';
import type { PresentedToken } from '../../../packages/core/src/sessions/rotation-repository.js';
import { idOf, LARGE_COMPANY, LARGE_UNIT } from './row-makers.js';

/** Rows of the population that are related to each other. */
export interface Population {
  users: number;
  /** An approved, active user, who belongs to the company of the ids below. */
  userId: string;
  email: string;
  /** Active sessions of the user; the second was created from none. */
  sessionId: string;
  token: PresentedToken;
  /** A company of a hundred members, with a business unit. */
  companyId: string;
  businessUnitId: string;
  membershipIds: string[];
  /** The company that a tenth of all users belong to, and its largest business unit. */
  largeCompanyId: string;
  largeUnitId: string;
  invitationId: string;
  invitationToken: Buffer;
  inviterId: string;
  resetToken: Buffer;
  verificationId: string;
  verificationToken: Buffer;
  passkeyId: string;
  credentialId: string;
  mailId: string;
}

interface SampleRow extends Omit<Population, 'users' | 'token'> {
  selectorDigest: Buffer;
  secretDigest: Buffer;
}

// The user is number 1 + 20 n: one with a membership, a business unit, a passkey and tokens that are unused.
const SAMPLE = `
  SELECT u.id AS "userId", u.email, s.id AS "sessionId", s.selector_digest AS "selectorDigest",
    s.secret_digest AS "secretDigest", b.company_id AS "companyId", b.business_unit_id AS "businessUnitId",
    ARRAY(SELECT m.id FROM company_memberships m WHERE m.company_id = b.company_id) AS "membershipIds",
    ${LARGE_COMPANY} AS "largeCompanyId", ${LARGE_UNIT} AS "largeUnitId",
    i.id AS "invitationId", i.token_digest AS "invitationToken", i.invited_by_user_id AS "inviterId",
    bench.digest('password_reset_tokens', $1) AS "resetToken", v.id AS "verificationId",
    v.token_digest AS "verificationToken", p.id AS "passkeyId", p.credential_id AS "credentialId",
    ${idOf('mail', '$1')} AS "mailId"
  FROM users u
    JOIN sessions s ON s.user_id = u.id AND NOT s.is_revoked AND s.expires_at > now()
    JOIN business_unit_memberships b ON b.user_id = u.id
    JOIN email_verification_tokens v ON v.user_id = u.id
    JOIN passkey_credentials p ON p.user_id = u.id,
    (SELECT * FROM invitations WHERE status = 'PENDING' ORDER BY id LIMIT 1) AS i
  WHERE u.id = ${idOf('user', '$1')}
  ORDER BY s.id LIMIT 1`;

/** Returns rows of a population of that many users, at least 1,000. */
export async function samplePopulation(client: pg.Client, users: number): Promise<Population> {
  // In the middle of the tables, and with an active session in each step of growth.
  for (let number = 20 * Math.floor(users / 40) + 1; number < users; number += 20) {
    const { rows } = await client.query<SampleRow>(SAMPLE, [number]);
    const [row] = rows;
    if (!row) continue;
    const { selectorDigest, secretDigest, ...rest } = row;
    return { users, ...rest, token: { selectorDigest, generation: 0, secretDigest, isGenuine: true } };
  }
  throw new Error('The population has no user with an active session, a business unit and a passkey.');
}
