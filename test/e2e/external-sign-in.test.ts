import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExternalClient, externalEnv, googlePerson } from '../support/external-client.js';
import { takeApart } from '../support/forged-token.js';
import { HostileProvider, type Person } from '../support/hostile-provider.js';
import { startTestService, type TestService } from '../support/service.js';

let provider: HostileProvider;
let service: TestService;
let client: ExternalClient;

beforeAll(async () => {
  provider = await HostileProvider.start();
  service = await startTestService({
    env: externalEnv(provider, {
      EXTERNAL_SIGN_UP: 'true',
      PUBLIC_REGISTRATION_ENABLED: 'true',
      REGISTRATION_APPROVAL: 'none',
      EXTERNAL_REDIRECT_URIS: 'https://app.example.com/callback',
    }),
  });
  client = new ExternalClient(service, provider);
});
afterAll(async () => {
  await service.stop();
  provider.stop();
});

const userOf = async (email: string) =>
  (await service.sql('SELECT * FROM users WHERE email = $1', [email]))[0];
const events = async (event: string, userId: unknown) =>
  service.sql('SELECT outcome, details FROM auth_audit_logs WHERE event = $1 AND subject_user_id = $2', [
    event,
    userId,
  ]);

describe('a sign-in by another service', () => {
  it('lists the connections for the buttons of a page', async () => {
    const { items } = await service.api('GET', '/auth/external');
    expect(items).toEqual([
      { id: 'google', type: 'google', label: 'Google' },
      { id: 'plain', type: 'oidc', label: 'Plain' },
      { id: 'strict', type: 'oidc', label: 'Strict' },
      { id: 'github', type: 'github', label: 'GitHub' },
    ]);
  });

  it('creates an account at the first one, and signs in to it at the next', async () => {
    const ada = googlePerson();
    const first = await client.signIn('google', ada);
    expect(first.status, first.text).toBe(200);
    const { claims } = takeApart(first.data.accessToken);
    expect(claims).toMatchObject({ amr: ['fed'], acr: 'aal1', auth_time: 0 });
    const user = await userOf(ada.email);
    expect(user).toMatchObject({
      id: claims.sub,
      auth_provider: 'google',
      full_name: 'Ada Berg',
      password_hash: null,
      approval_status: 'APPROVED',
      is_active: true,
    });
    expect(user?.email_verified_at).toBeInstanceOf(Date);
    const next = await client.signIn('google', { ...ada, email: 'elsewhere@gmail.com' });
    expect(takeApart(next.data.accessToken).claims.sub).toBe(claims.sub);
    const [session] = (await service.api('GET', '/auth/sessions', { token: next.data.accessToken })).items;
    expect(session).toMatchObject({ origin: 'external' });
    expect((await events('login', claims.sub)).map(({ details }) => details)).toMatchObject([
      { method: 'external', connectionId: 'google' },
      { method: 'external', connectionId: 'google' },
    ]);
    expect(await events('registration', claims.sub)).toMatchObject([{ outcome: 'success' }]);
    expect(await events('external_identity_linked', claims.sub)).toHaveLength(1);
  });

  it('returns the address to which the front end wants to go', async () => {
    const { data } = await client.signIn('google', googlePerson(), { returnTo: '/invoices' });
    expect(data.returnTo).toBe('/invoices');
  });

  it('sends the browser with PKCE, a state and a nonce to an address of the connection alone', async () => {
    const { authorizationUrl } = await client.begin('google', { loginHint: 'ada@gmail.com' });
    const { searchParams } = new URL(authorizationUrl);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      redirect_uri: `${service.publicUrl}/external/callback/google`,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      login_hint: 'ada@gmail.com',
    });
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(String(searchParams.get(name)).length).toBeGreaterThanOrEqual(43);
    const own = await client.begin('google', { redirectUri: 'https://app.example.com/callback/google' });
    expect(own.authorizationUrl).toContain(encodeURIComponent('https://app.example.com/callback/google'));
  });

  it.each([
    'https://app.example.com/callback/plain',
    'https://app.example.com/callback/google/',
    'https://app.example.com/callback',
    'https://app.example.com.evil.example/callback/google',
    'https://evil.example/callback/google',
  ])('does not send a code to %s', async (redirectUri) => {
    const answer = await client.start('google', { redirectUri });
    expect([answer.status, answer.message]).toMatchObject([400, expect.stringContaining('redirectUri')]);
  });

  it('knows no connection that is not configured', async () => {
    const answer = await client.start('elsewhere');
    expect(answer).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('takes the address from the userinfo endpoint if the ID token has none', async () => {
    const email = `${randomUUID()}@gmail.com`;
    provider.with({ metadata: {} });
    const person: Person = { sub: randomUUID(), email };
    const { status } = await client.signIn('plain', person);
    expect(status).toBe(200);
    expect(await userOf(email)).toMatchObject({ auth_provider: 'other', email_verified_at: null });
  });
});
