import { randomBytes } from 'node:crypto';
import { v7 as newId } from 'uuid';
import type { Sql } from './service.js';

/** Writes a passkey straight into the database; no authenticator has its key. @returns its id. */
export async function insertPasskey(sql: Sql, userId: string, name = 'Phone'): Promise<string> {
  const id = newId();
  await sql(
    `INSERT INTO passkey_credentials (id, user_id, credential_id, public_key, device_type, backed_up, name)
     VALUES ($1, $2, $3, '\\x00', 'multiDevice', true, $4)`,
    [id, userId, randomBytes(16).toString('base64url'), name],
  );
  return id;
}
