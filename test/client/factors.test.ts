import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '@latchkey/client';
import { AuthenticatorApp, enrolledUser } from '../support/authenticator-app.js';
import { startTestService, type TestService } from '../support/service.js';
import { signedInClient } from './client-fixture.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const newClient = () => createClient({ baseUrl: service.url, tokens: 'memory' });

/** Signs in with the password. @returns what the second step needs. */
async function firstStep(client: ReturnType<typeof newClient>, user: { email: string; password: string }) {
  const { data } = await client.signIn(user);
  if (data?.status !== 'second_factor_required')
    throw new TypeError('The sign-in requires no second factor.');
  return data.secondFactor;
}

describe('the second step of a sign-in', () => {
  it('a code completes it and starts the session', async () => {
    const user = await enrolledUser(service);
    const client = newClient();
    const { challenge } = await firstStep(client, user);
    const wrong = await client.factors.signIn({ challenge, code: user.app.wrong() });
    expect(wrong.error?.code).toBe('unauthorized');
    expect(client.session.state.status).toBe('signed_out');
    const { data } = await client.factors.signIn({ challenge, code: user.app.next() });
    expect(data).toEqual({ status: 'signed_in' });
    expect(client.session.state.status).toBe('signed_in');
    expect((await client.me()).data?.email).toBe(user.email);
  });
});

it('a signed-in user adds an app, lists it, renews the recovery codes and removes it', async () => {
  const { client } = await signedInClient(service);
  const { factors } = client;
  const { id = '', secret = '' } = (await factors.begin('Phone')).data ?? {};
  const app = new AuthenticatorApp(secret);
  const confirmed = await factors.confirm(id, app.next());
  expect(confirmed.data?.recoveryCodes).toHaveLength(10);
  expect((await factors.list()).data).toMatchObject({
    factors: [{ id, name: 'Phone' }],
    recoveryCodesLeft: 10,
  });
  expect((await factors.remove(id)).error?.code).toBe('reauthentication_required');

  expect((await client.stepUp({ code: app.next() })).ok).toBe(true);
  const renewed = await factors.renewRecoveryCodes();
  expect(renewed.data?.recoveryCodes).toHaveLength(10);
  expect((await factors.remove(id)).data).toEqual({ status: 'ok' });
  expect((await factors.list()).data?.factors).toEqual([]);
});
