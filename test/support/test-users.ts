import { randomBytes } from 'node:crypto';
import { hash } from 'argon2';
import { uuidv7 as newId } from 'uuidv7';
import type { GlobalRole } from '@latchkey/core';
import type { Sql } from './service.js';

/** The password of every user who is not given another one. */
export const PASSWORD = 'correct horse battery staple';

/** Parameters of Argon2id. */
export interface PasswordCost {
  memoryKib: number;
  iterations: number;
  parallelism: number;
}

/** The default settings. */
const DEFAULT_PASSWORD_COST: PasswordCost = { memoryKib: 19_456, iterations: 2, parallelism: 1 };
/** The least that Argon2id allows; settings refuse it. */
export const LEAST_PASSWORD_COST: PasswordCost = { memoryKib: 8, iterations: 1, parallelism: 1 };

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
  /** True if the mailbox is verified. Defaults to true. */
  emailVerified?: boolean;
}

export interface TestUser {
  id: string;
  email: string;
  fullName: string;
  /** Empty when the user has none. */
  password: string;
}

/** Writes a user straight into the database. The password costs what settings default to, unless another cost is given. */
export async function insertUser(
  sql: Sql,
  wanted: NewTestUser = {},
  cost: PasswordCost = DEFAULT_PASSWORD_COST,
): Promise<TestUser> {
  const { approval = 'APPROVED', active = approval === 'APPROVED', role = 'NONE' } = wanted;
  const { password = PASSWORD, fullName = 'Ada Lovelace', emailVerified = true } = wanted;
  const id = newId();
  const email = wanted.email ?? `user-${randomBytes(6).toString('hex')}@example.com`;
  await sql(
    `INSERT INTO users (id, email, password_hash, full_name, global_role, approval_status, is_active,
       email_verified_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, CASE WHEN $8 THEN now() END)`,
    [id, email, await hashOf(password, cost), fullName, role, approval, active, emailVerified],
  );
  return { id, email, fullName, password: password ?? '' };
}

const hashes = new Map<string, Promise<string>>();

/** Each password is hashed once: another user with it costs one INSERT. */
async function hashOf(
  password: string | null,
  { memoryKib: memoryCost, iterations: timeCost, parallelism }: PasswordCost,
): Promise<string | null> {
  if (password === null) return null;
  const key = `${memoryCost} ${timeCost} ${parallelism} ${password}`;
  const known = hashes.get(key) ?? hash(password.normalize('NFKC'), { memoryCost, timeCost, parallelism });
  hashes.set(key, known);
  return known;
}
