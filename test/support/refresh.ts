import { expect } from 'vitest';
import type { Answer } from './api-client.js';
import type { TestService } from './service.js';

export const refresh = (service: TestService, refreshToken: unknown): Promise<Answer> =>
  service.api('POST', '/auth/refresh', { body: { refreshToken } });

/** Rotates and gives the successor. */
export async function rotated(service: TestService, refreshToken: string): Promise<string> {
  const answer = await refresh(service, refreshToken);
  expect(answer.status, answer.text).toBe(200);
  return answer.data.refreshToken;
}

export async function expectRefused(answer: Promise<Answer>, code: string): Promise<void> {
  const { status, code: found, text } = await answer;
  expect(`${status} ${found ?? ''}`, text).toBe(`401 ${code}`);
}

/** Makes rotations that much older. */
export const letPassSinceRotations = (service: TestService, seconds: number) =>
  service.sql(`UPDATE sessions SET rotated_at = rotated_at - make_interval(secs => $1)`, [seconds]);

/**
 * Uses a spent token and expects the end of its session. Some seconds have passed for the service: a process of a busy
 * machine cannot distinguish a use right after the rotation from one that has waited to be read since before.
 */
export async function expectReuse(service: TestService, refreshToken: string): Promise<void> {
  await letPassSinceRotations(service, 5);
  await expectRefused(refresh(service, refreshToken), 'session_revoked');
}

/** Returns how often the only session of a user was rotated. */
export async function generationOf(service: TestService, userId: string): Promise<unknown> {
  const rows = await service.sql('SELECT generation FROM sessions WHERE user_id = $1', [userId]);
  return rows[0]?.generation;
}
