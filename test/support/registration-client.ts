import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { TestMail, TestService } from './service.js';

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
  const { approval, emailVerification } = service.auth.settings.registration;
  const status = approval === 'none' && emailVerification !== 'required' ? 'approved' : 'pending';
  expect(answer, answer.text).toMatchObject({ status: 201, data: { email, status } });
  const [row] = await service.sql('SELECT id FROM users WHERE email = $1', [email]);
  return { id: String(row?.id), email };
}

export interface RegisteredWithLinks extends Registered {
  /** Proves the mailbox. */
  token: string;
  /** Deletes the registration; empty if the mail has no such link. */
  rejection: string;
}

/** The same with the tokens of their mail. */
export async function registerWithLink(service: TestService): Promise<RegisteredWithLinks> {
  const registered = await registerUser(service);
  return { ...registered, ...linksOf(await service.mailTo(registered.email)) };
}

/** Returns the tokens of a registration mail. */
export function linksOf({ text, token }: TestMail): { token: string; rejection: string } {
  const [, rejection = ''] = /\/reject-registration\?token=(\S+)/.exec(text) ?? [];
  return { token, rejection };
}
