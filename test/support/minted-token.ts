import { expect } from 'vitest';
import { signRs256, takeApart } from './forged-token.js';
import type { TestService } from './service.js';
import type { NewTestUser, TestUser } from './test-users.js';

/** A signed-in user whose session cost no password check: most tests are not about passwords. */
export type SignedInTestUser = TestUser & { token: string; refreshToken: string };

export async function mintTokens(
  service: TestService,
  userId: string,
): Promise<{ token: string; refreshToken: string }> {
  const answer = await service.machine('POST', `/internal/admin/users/${userId}/sessions`);
  expect(answer.status, answer.text).toBe(201);
  return { token: answer.data.accessToken, refreshToken: answer.data.refreshToken };
}

/** The same token as a sign-in by password would have given, for what asks for a fresh one. */
export function asSignedInByPassword<User extends { token: string }>(user: User): User {
  const { header, claims } = takeApart(user.token);
  return { ...user, token: signRs256({ header, claims: { ...claims, amr: ['pwd'] } }) };
}

export async function signedInUser(service: TestService, wanted?: NewTestUser): Promise<SignedInTestUser> {
  const user = await service.createUser(wanted);
  return { ...user, ...(await mintTokens(service, user.id)) };
}
