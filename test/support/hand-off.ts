import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { AnswerData } from './api-client.js';
import type { TestService } from './service.js';

const COMPANY = randomUUID();

/** Returns a hand-off code of platform staff, who have access to every company. */
async function handOffCode(service: TestService, token: string): Promise<string> {
  const made = await service.api('POST', '/auth/handoff/create', { token, headers: { 'x-org': COMPANY } });
  expect(made.status, made.text).toBe(200);
  return String(made.data.code);
}

/** Opens a child session of platform staff. */
export async function handOff(service: TestService, token: string): Promise<AnswerData> {
  const body = { code: await handOffCode(service, token) };
  const answer = await service.api('POST', '/auth/handoff/exchange', { body });
  expect(answer.status, answer.text).toBe(200);
  return answer.data;
}
