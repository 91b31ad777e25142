import { randomBytes } from 'node:crypto';
import { uuidv7 as newId } from 'uuidv7';
import { unknownClient } from '../../packages/core/src/kernel/client-info.js';
import { statement, type Database } from '../../packages/core/src/storage/database.js';
import { sessionRepository } from './audit-repositories.js';
import { insertUser, type NewTestUser, type TestUser } from './test-users.js';

export interface OpenSession {
  sessionId: string;
  selectorDigest: Buffer;
  secretDigest: Buffer;
}

/** A user straight from the database, for tests below HTTP. */
export const insertUserBy = (database: Database, wanted?: NewTestUser): Promise<TestUser> =>
  insertUser(
    async (text, values = []) => database.query(statement('test_insert_user', text), values),
    wanted,
  );

/** A live session of a user, opened as a sign-in would. */
export async function openSession(
  database: Database,
  userId: string,
  { requiresVerifiedEmail = false } = {},
): Promise<OpenSession> {
  const session = { sessionId: newId(), selectorDigest: randomBytes(32), secretDigest: randomBytes(32) };
  const opened = await sessionRepository(database).insert(
    {
      id: session.sessionId,
      userId,
      verified: { tokenVersion: 1, passwordHash: null },
      requiresVerifiedEmail,
      selectorDigest: session.selectorDigest,
      secretDigest: session.secretDigest,
      origin: 'minted',
      acr: 'aal1',
      amr: ['mca'],
      authTime: Math.floor(Date.now() / 1000),
      grantDigest: null,
      ipAddress: null,
      userAgent: null,
      deviceName: null,
      lifetimes: { idle: 3600, absolute: 3600 },
    },
    { event: 'session_minted', outcome: 'success', actor: { kind: 'anonymous' }, client: unknownClient },
  );
  if (!opened) throw new Error('The session was not opened.');
  return session;
}
