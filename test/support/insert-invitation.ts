import { uuidv7 as newId } from 'uuidv7';
import type { Sql } from './service.js';

const NO_DELEGATION = {
  canManageUsers: false,
  canBuyAddons: false,
  grantableModules: [],
  grantablePermissions: [],
};

/** Writes an open invitation straight into the database, without an inviter and without a mail; returns its id. */
export async function insertInvitation(
  sql: Sql,
  { companyId, email }: { companyId: string; email?: string },
): Promise<string> {
  const id = newId();
  await sql(
    `INSERT INTO invitations (id, company_id, email, role, module_grants, permission_grants, delegation, expires_at)
     VALUES ($1, $2, $3, 'MEMBER', '{}', '{}', $4, now() + interval '1 day')`,
    [id, companyId, email ?? `${id}@example.com`, JSON.stringify(NO_DELEGATION)],
  );
  return id;
}
