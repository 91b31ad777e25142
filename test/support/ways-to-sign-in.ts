import { expect } from 'vitest';
import type { Answer } from './api-client.js';
import { InvitationClient } from './invitation-client.js';
import { signedInUser } from './minted-token.js';
import { registerPasskey, signInOptions } from './passkey-client.js';
import type { TestService } from './service.js';
import { SoftwareAuthenticator } from './software-authenticator.js';

/** One way a person signs in, ready to be gone: everything before the last request is done. */
interface WayIn {
  email: string;
  /** The last request, whose answer is not looked at. What it spends is spent when it is sent a second time. */
  send: () => Promise<Answer>;
}

async function password(service: TestService): Promise<WayIn> {
  const { email, password: secret } = await service.createUser();
  return {
    email,
    send: () => service.client.send('POST', '/auth/login', { body: { email, password: secret } }),
  };
}

async function passkey(service: TestService): Promise<WayIn> {
  const user = await signedInUser(service);
  const authenticator = new SoftwareAuthenticator();
  const answer = await registerPasskey(service, user, authenticator);
  expect(answer.status, answer.text).toBe(201);
  const credential = await authenticator.authenticate(await signInOptions(service));
  return {
    email: user.email,
    send: () => service.client.send('POST', '/auth/passkeys/login/verify', { body: { credential } }),
  };
}

async function handoff(service: TestService): Promise<WayIn> {
  const testClient = await InvitationClient.open(service);
  const { data } = await service.api('POST', '/auth/handoff/create', testClient.as());
  const body = { code: data.code };
  return {
    email: testClient.admin.email,
    send: () => service.client.send('POST', '/auth/handoff/exchange', { body }),
  };
}

async function invitation(service: TestService): Promise<WayIn> {
  const testClient = await InvitationClient.open(service);
  const { token, email } = await testClient.invite();
  const body = { token, password: 'a fine long password', fullName: 'Ada Lovelace' };
  return { email, send: () => service.client.send('POST', '/auth/invitations/accept', { body }) };
}

/** Every way a person signs in. */
export const WAYS_IN = { password, passkey, handoff, invitation };
export type WayInName = keyof typeof WAYS_IN;
export const WAY_IN_NAMES = Object.keys(WAYS_IN) as WayInName[];
