import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '@latchkey/client';
import { AuthenticatorApp } from '../support/authenticator-app.js';
import { PICTURES } from '../support/pictures.js';
import { linksOf } from '../support/registration-client.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';
import { clientOf, signedInClient } from './client-fixture.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const NEW_PASSWORD = 'a new horse, a new battery';
const newEmail = (): string => `client-${randomUUID()}@example.com`;

/** Returns the token of the newest mail whose link leads to a page. */
async function tokenTo(email: string, page: string): Promise<string> {
  const links = () => service.mailsTo(email).filter(({ link }) => link.includes(`${page}?`));
  const { token } = await waitUntil(() => links().at(-1), { what: `a link to ${page}` });
  return token;
}

const withoutSession = () => createClient({ baseUrl: service.url, tokens: 'memory' });

describe('a registration', () => {
  it('is made, its mail sent again, its email verified, and it can sign in', async () => {
    const open = await serviceForThisTest({ env: { REGISTRATION_APPROVAL: 'verified' } });
    const { client } = await clientOf(open);
    const email = newEmail();
    const credentials = { email, password: 'a long walk home' };
    const registered = await client.registration.register({ ...credentials, fullName: 'Ann Berg' });
    expect(registered.data).toEqual({ email, status: 'pending' });
    expect(client.session.state.status).toBe('signed_out');
    await open.mailTo(email);
    expect((await client.registration.resendMail(email)).data).toEqual({ status: 'ok' });
    const { token } = await open.mailTo(email, 2);
    const bare = await client.registration.verifyEmail({ token });
    expect(bare.error).toMatchObject({ code: 'validation_error', fields: [{ pointer: '/password' }] });
    expect((await client.registration.verifyEmail({ ...credentials, token })).ok).toBe(true);
    expect((await client.signIn(credentials)).data).toEqual({ status: 'signed_in' });
  });

  it('is rejected by the owner of the mailbox', async () => {
    const open = await serviceForThisTest({ env: { REGISTRATION_APPROVAL: 'verified' } });
    const { client } = await clientOf(open);
    const email = newEmail();
    await client.registration.register({ email, password: 'a long walk home', fullName: 'Ann Berg' });
    const { rejection } = linksOf(await open.mailTo(email));
    expect((await client.registration.reject(rejection)).ok).toBe(true);
    expect((await client.signIn({ email, password: 'a long walk home' })).error?.code).toBe('unauthorized');
  });
});

describe('the picture', () => {
  it('is uploaded, found at the service, and removed; that of another host is not', async () => {
    const open = await serviceForThisTest({ env: { PROFILE_PICTURES: 'on' } });
    const { client } = await signedInClient(open);
    const file = new Blob([new Uint8Array(PICTURES.lossless)]);
    const { data } = await client.account.setPicture(file);
    expect(data).toMatchObject({ contentType: 'image/webp', width: 40, height: 32 });
    const { profilePictureUrl } = (await client.me()).data ?? {};
    expect(profilePictureUrl).toBe(data?.profilePictureUrl);
    const address = client.account.pictureAt(profilePictureUrl) ?? '';
    expect((await fetch(new URL(new URL(address).pathname, open.url))).status).toBe(200);
    expect((await client.account.setPicture(new Blob(['none']))).error?.code).toBe('validation_error');
    expect((await client.account.removePicture()).ok).toBe(true);
    expect((await client.account.removePicture()).error?.code).toBe('not_found');
    for (const other of [undefined, '', 'https://pictures.example/a.png', `${address}?a`, `${address}/b`])
      expect(client.account.pictureAt(other)).toBeUndefined();
    const elsewhere = new URL(address);
    elsewhere.host = 'pictures.example';
    expect(client.account.pictureAt(elsewhere.href)).toBe(address);
  });
});

describe('the profile', () => {
  it('is changed, with the language, and exported', async () => {
    const { client, user } = await signedInClient(service);
    const changed = await client.account.update({ fullName: 'Ada King', locale: 'de' });
    expect(changed.data).toMatchObject({ fullName: 'Ada King' });
    expect((await client.me()).data).toMatchObject({ name: 'Ada King', locale: 'de' });
    const { data } = await client.account.exportData();
    expect(JSON.stringify(data)).toContain(user.email);
  });
});

describe('the password', () => {
  it('is changed; this session goes on, and all others end', async () => {
    const { client, user } = await signedInClient(service);
    const other = withoutSession();
    await other.signIn(user);
    const change = { currentPassword: user.password, newPassword: NEW_PASSWORD };
    expect((await client.account.changePassword(change)).ok).toBe(true);
    expect((await client.me()).data?.email).toBe(user.email);
    expect((await other.me()).error?.code).toBe('session_revoked');
    expect(other.session.state).toEqual({ status: 'signed_out', reason: 'revoked' });
  });

  it('is replaced after it was forgotten, and the session of this client ends at once', async () => {
    const { client, user } = await signedInClient(service);
    expect((await client.account.requestPasswordReset(user.email)).data).toEqual({ status: 'ok' });
    const { token } = await service.mailTo(user.email);
    const wrong = await client.account.resetPassword({ token: 'unknown', newPassword: NEW_PASSWORD });
    expect(wrong.error?.code).toBe('validation_error');
    expect(client.session.state.status).toBe('signed_in');
    expect((await client.account.resetPassword({ token, newPassword: NEW_PASSWORD })).ok).toBe(true);
    expect(client.session.state).toEqual({ status: 'signed_out', reason: 'revoked' });
    const { email } = user;
    expect((await client.signIn({ email, password: NEW_PASSWORD })).data?.status).toBe('signed_in');
  });

  it('of another user is replaced without an effect on this session', async () => {
    const other = await service.createUser();
    const { client, user } = await signedInClient(service);
    await client.account.requestPasswordReset(other.email);
    const { token } = await service.mailTo(other.email);
    expect((await client.account.resetPassword({ token, newPassword: NEW_PASSWORD })).ok).toBe(true);
    expect(client.session.state.status).toBe('signed_in');
    expect((await client.me()).data?.email).toBe(user.email);
  });
});

describe('the email', () => {
  it('is changed; the session that asked goes on until the change is undone', async () => {
    const { client, user } = await signedInClient(service);
    const other = withoutSession();
    await other.signIn(user);
    const email = newEmail();
    expect((await client.account.changeEmail(email)).data).toEqual({ status: 'ok' });
    const token = await tokenTo(email, '/change-email');
    // Its link may be opened in another tab or app.
    expect((await other.account.confirmEmail(token)).ok).toBe(true);
    expect(other.session.state).toEqual({ status: 'signed_out', reason: 'revoked' });
    expect((await client.me()).data?.email).toBe(email);

    const undo = await tokenTo(user.email, '/undo-email-change');
    expect((await client.account.undoEmailChange(undo)).ok).toBe(true);
    expect(client.session.state).toEqual({ status: 'signed_out', reason: 'revoked' });
  });
});

describe('the sessions of a user', () => {
  it('all end, also that of this client, which is signed out', async () => {
    const { client, user, store } = await signedInClient(service);
    const other = withoutSession();
    await other.signIn(user);
    expect((await client.sessions.revokeAll()).data).toMatchObject({ revoked: 2 });
    expect(client.session.state).toEqual({ status: 'signed_out', reason: 'signed_out' });
    expect(store.session).toBeUndefined();
    expect((await other.me()).error?.code).toBe('session_revoked');
  });

  it('stay if the service could not end them', async () => {
    const { client, proxy } = await signedInClient(service);
    proxy.follow(() => ({ status: 503 }));
    expect((await client.sessions.revokeAll()).ok).toBe(false);
    expect(client.session.state.status).toBe('signed_in');
  });
});

it('a hand-off code of one client signs in another', async () => {
  const { client, user } = await signedInClient(service, {}, { role: 'PLATFORM_SUPERADMIN' });
  const made = await client.handoff.create(randomUUID());
  const { client: app } = await clientOf(service);
  expect((await app.handoff.exchange('wrong')).error?.code).toBe('unauthorized');
  expect((await app.handoff.exchange(made.data?.code ?? '')).data).toEqual({ status: 'signed_in' });
  expect((await app.me()).data?.email).toBe(user.email);
});

it('a sign-in that requires a first authenticator app sets one up', async () => {
  const strict = await serviceForThisTest({ env: { SECOND_FACTOR: 'staff' } });
  const { client } = await clientOf(strict);
  const user = await strict.createUser({ role: 'PLATFORM_SUPERADMIN' });
  const { data } = await client.signIn(user);
  if (data?.status !== 'second_factor_required') throw new Error('no second factor is required');
  const { challenge } = data.secondFactor;
  expect(data.secondFactor.enrol).toBe(true);
  const begun = await client.factors.enrol({ challenge, name: 'Phone' });
  const { id = '', secret = '' } = begun.data ?? {};
  const code = new AuthenticatorApp(secret).next();
  const done = await client.factors.confirmEnrolment({ challenge, id, code });
  expect(done.data).toMatchObject({ status: 'signed_in', recoveryCodes: { length: 10 } });
  expect((await client.me()).data?.email).toBe(user.email);
});
