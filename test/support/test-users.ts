import { randomBytes } from 'node:crypto';
import { hash } from 'argon2';
import { v7 as newId } from 'uuid';
import type { GlobalRole } from '@latchkey/core';
import type { Sql } from './service.js';

/** The password of every user who is not given another one. */
export const PASSWORD = 'correct horse battery staple';
/** It, hashed once with the default parameters: a fixture then costs one INSERT. */
const PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$HS0Tw3oMrrZstZBtX4z0PA$TtCf/m8cjBnDhJyunYkAlCaToZCBCNFmsW0d0sQAKi0';

export interface NewTestUser {
  /** Default: a fresh address. Canonical form. */
  email?: string;
  fullName?: string;
  /** Default: `PASSWORD`. Null: none. */
  password?: string | null;
  /** Default: NONE. */
  role?: GlobalRole;
  /** Default: APPROVED. */
  approval?: 'PENDING' | 'APPROVED' | 'REJECTED';
  /** Default: whether the user is approved. */
  active?: boolean;
  /** Whether it was proved that the mailbox is theirs. Default: true. */
  emailVerified?: boolean;
}

export interface TestUser {
  id: string;
  email: string;
  fullName: string;
  /** Empty when the user has none. */
  password: string;
}

/** Writes a user straight into the database. */
export async function insertUser(sql: Sql, wanted: NewTestUser = {}): Promise<TestUser> {
  const { approval = 'APPROVED', active = approval === 'APPROVED', role = 'NONE' } = wanted;
  const { password = PASSWORD, fullName = 'Ada Lovelace', emailVerified = true } = wanted;
  const id = newId();
  const email = wanted.email ?? `user-${randomBytes(6).toString('hex')}@example.com`;
  await sql(
    `INSERT INTO users (id, email, password_hash, full_name, global_role, approval_status, is_active,
       email_verified_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, CASE WHEN $8 THEN now() END)`,
    [id, email, await hashOf(password), fullName, role, approval, active, emailVerified],
  );
  return { id, email, fullName, password: password ?? '' };
}

async function hashOf(password: string | null): Promise<string | null> {
  if (password === null) return null;
  if (password === PASSWORD) return PASSWORD_HASH;
  return hash(password.normalize('NFKC'), { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
}
