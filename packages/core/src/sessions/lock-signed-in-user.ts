import type { Transaction } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import { maySignIn, type User } from '../users/user.js';
import type { SessionRepository } from './session-repository.js';
import type { SignedInUser } from './session.js';

interface Rows {
  readonly users: UserRepository;
  readonly sessions: SessionRepository;
}

/**
 * Locks the rows of a signed-in user and of their session, the user first, until the transaction ends.
 * @returns undefined if the session has ended meanwhile, or the user may no longer use it.
 */
export async function lockSignedInUser(
  { users, sessions }: Rows,
  { userId, sessionId, tokenVersion }: SignedInUser,
  trx: Transaction,
): Promise<User | undefined> {
  const user = (await users.lock([userId], trx)).get(userId);
  if (!user || !maySignIn(user) || user.tokenVersion !== tokenVersion) return undefined;
  return (await sessions.holdLive(sessionId, userId, trx)) && user;
}
