import { expect } from 'vitest';
import type { Answer } from './api-client.js';
import { takeApart } from './forged-token.js';
import { signedInUser, type SignedInTestUser } from './minted-token.js';
import { INTERNAL_KEY, type TestService } from './service.js';
import type { NewTestUser, TestUser } from './test-users.js';

/** Who acts in a session that a machine opens, and why. */
export interface NamedActor {
  actorUserId?: string;
  actor?: string;
  reason?: string;
  actorSessionId?: string;
}

export interface ActingSession {
  token: string;
  refreshToken: string;
  sessionId: string;
  expiresIn: number;
}

export const REASON = 'Ticket 4711: the invoice cannot be found';

export const mintFor = (service: TestService, userId: string, body: unknown): Promise<Answer> =>
  service.machine('POST', `/internal/admin/users/${userId}/sessions`, { body });

/** The same, with the reason of a failure. */
export const mintProblem = (service: TestService, userId: string, body: unknown): Promise<Answer> =>
  service.client.send('POST', `/internal/admin/users/${userId}/sessions`, {
    body,
    headers: { 'x-internal-api-key': INTERNAL_KEY, accept: 'application/problem+json' },
  });

export const sessionOf = (token: string): string => String(takeApart(token).claims.sid);

/** Opens a session in which an actor acts for a user; by default an actor in free text. */
export async function mintActing(
  service: TestService,
  userId: string,
  named: NamedActor = { actor: 'Support, ticket 4711' },
): Promise<ActingSession> {
  const answer = await mintFor(service, userId, { reason: REASON, ...named });
  expect(answer.status, answer.text).toBe(201);
  const { accessToken: token, refreshToken, expiresIn } = answer.data;
  return { token, refreshToken, sessionId: sessionOf(token), expiresIn: Number(expiresIn) };
}

/** Asks for a code by which a member of staff acts for a user. */
export const actingCode = (
  service: TestService,
  token: string,
  userId: string,
  input: { reason?: unknown; minutes?: unknown; companyId?: unknown } = {},
): Promise<Answer> =>
  service.client.send('POST', `/internal/users/${userId}/acting-codes`, {
    token,
    body: { reason: REASON, ...input },
    headers: { accept: 'application/problem+json' },
  });

/** Exchanges a code for an acting session. */
export const exchangeActing = (service: TestService, code: unknown): Promise<Answer> =>
  service.client.send('POST', '/auth/acting/exchange', {
    body: { code },
    headers: { accept: 'application/problem+json' },
  });

/** A signed-in member of staff. */
export const staffMember = (service: TestService, wanted: NewTestUser = {}): Promise<SignedInTestUser> =>
  signedInUser(service, { role: 'PLATFORM_MODERATOR', fullName: 'Grace Hopper', ...wanted });

/** A user, a member of staff, and the session in which the latter acts for the former. */
export async function actingPair(
  service: TestService,
  { user = {}, inSession = false }: { user?: NewTestUser; inSession?: boolean } = {},
): Promise<{ user: TestUser; staff: SignedInTestUser; acting: ActingSession }> {
  const [target, staff] = [await service.createUser(user), await staffMember(service)];
  const named = {
    actorUserId: staff.id,
    ...(inSession && { actorSessionId: sessionOf(staff.token) }),
  };
  return { user: target, staff, acting: await mintActing(service, target.id, named) };
}
