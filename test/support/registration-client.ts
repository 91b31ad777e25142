import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { TestService } from './service.js';

/** The password of every registration here. */
export const CHOSEN = 'a long walk home';

export interface Registered {
  id: string;
  email: string;
}

/** A user who has registered. */
export async function registerUser(
  service: TestService,
  email = `guest-${randomUUID()}@example.com`,
): Promise<Registered> {
  const body = { email, password: CHOSEN, fullName: 'Ann Berg' };
  const answer = await service.api('POST', '/auth/register', { body });
  expect(answer, answer.text).toMatchObject({ status: 201, data: { email, status: 'pending' } });
  const [row] = await service.sql('SELECT id FROM users WHERE email = $1', [email]);
  return { id: String(row?.id), email };
}

/** The same with the token of their mail, on a service with `REGISTRATION_APPROVAL=verified`. */
export async function registerWithLink(service: TestService): Promise<Registered & { token: string }> {
  const registered = await registerUser(service);
  const { token } = await service.mailTo(registered.email);
  return { ...registered, token };
}
