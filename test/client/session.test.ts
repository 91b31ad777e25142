import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionState } from '@latchkey/client';
import { rotationsOf } from '../support/rotations.js';
import { startTestService, type TestService } from '../support/service.js';
import { clientOf, signedInClient } from './client-fixture.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: { REFRESH_REUSE_GRACE: '10s' } });
});
afterAll(() => service.stop());

describe('signing in and out', () => {
  it('changes the state of the session, and its listeners are called with each change', async () => {
    const { client, store } = await clientOf(service);
    const { email, password } = await service.createUser();
    const seen: SessionState[] = [];
    const unsubscribe = client.session.subscribe((state) => seen.push(state));
    expect(client.session.state).toEqual({ status: 'signed_out', reason: 'none' });

    expect((await client.signIn({ email, password })).data).toEqual({ status: 'signed_in' });
    expect(await client.session.ready()).toMatchObject({ status: 'signed_in' });
    expect((await client.signOut()).ok).toBe(true);
    expect(client.session.state).toEqual({ status: 'signed_out', reason: 'signed_out' });
    expect(store.session).toBeUndefined();
    unsubscribe();
    await client.signIn({ email, password });
    expect(seen.map(({ status }) => status)).toEqual(['signed_in', 'signed_out']);
  });

  it('a wrong password is sent once, and the session that exists is kept', async () => {
    const { client, user, store, proxy } = await signedInClient(service);
    const { session } = store;
    const { error } = await client.signIn({ email: user.email, password: 'wrong' });
    expect(error).toMatchObject({ code: 'unauthorized', reason: 'credentials_wrong' });
    expect(proxy.count('POST /auth/login')).toBe(2);
    expect(proxy.count('POST /auth/refresh')).toBe(0);
    expect(store.session).toEqual(session);
  });

  it('a sign-out ends the session at the service', async () => {
    const { client, store } = await signedInClient(service);
    const { accessToken } = store.session ?? {};
    await client.signOut();
    expect((await service.api('GET', '/auth/me', { token: accessToken })).code).toBe('session_revoked');
  });

  it('a sign-out without a connection forgets the tokens and reports the failure', async () => {
    const { client, store, proxy } = await signedInClient(service);
    proxy.follow(() => 'refuse');
    expect((await client.signOut()).error).toMatchObject({ code: 'network_failure' });
    expect(store.session).toBeUndefined();
    expect(client.session.state.status).toBe('signed_out');
  });

  it('tokens from elsewhere start a session', async () => {
    const { client } = await clientOf(service);
    const user = await service.createUser();
    const { accessToken, refreshToken } = await service.signIn(user);
    await client.session.start({ accessToken, refreshToken, expiresIn: 900 });
    expect((await client.me()).data?.email).toBe(user.email);
    expect(await client.session.accessToken()).toBe(accessToken);
  });
});

describe('an access token that is about to expire', () => {
  it('is renewed once for 50 requests, which all succeed', async () => {
    const { client, user, store, proxy } = await signedInClient(service);
    store.makeDue();
    const results = await Promise.all(Array.from({ length: 50 }, () => client.me()));
    expect(results.filter(({ ok }) => ok)).toHaveLength(50);
    expect(proxy.count('POST /auth/refresh')).toBe(1);
    expect(await rotationsOf(service, user.email)).toBe(1);
  });

  it('is renewed after a 401 once, and the requests are sent again once, with their bodies', async () => {
    const { client, user, store, proxy } = await signedInClient(service);
    store.damageToken();
    const body = { fullName: 'Renewed Name' };
    const results = await Promise.all(
      Array.from({ length: 20 }, () => client.request('PATCH', '/auth/me', { body })),
    );
    expect(results.map(({ data }) => data?.name)).toEqual(Array(20).fill('Renewed Name'));
    expect(proxy.count('PATCH /auth/me')).toBe(40);
    expect(await rotationsOf(service, user.email)).toBe(1);
  });

  it('is still used if the service refuses to renew it for a while', async () => {
    const { client, store, proxy } = await signedInClient(service);
    store.makeDue();
    proxy.follow((route) => (route === 'POST /auth/refresh' ? { status: 503, retryAfter: 5 } : undefined));
    expect((await client.me()).ok).toBe(true);
    expect(store.session).toBeDefined();
  });

  it('is replaced by the tokens that another tab has stored meanwhile, without a refresh', async () => {
    const { client, user, store, proxy } = await signedInClient(service);
    store.damageToken();
    const { accessToken, refreshToken } = await service.signIn(user);
    proxy.follow((route, earlier) => {
      if (route === 'GET /auth/me' && earlier === 0) {
        const { id = '' } = store.session ?? {};
        store.write({ id, refreshAt: Date.now() + 800_000, accessToken, refreshToken });
      }
      return undefined;
    });
    expect((await client.me()).ok).toBe(true);
    expect(proxy.count('POST /auth/refresh')).toBe(0);
  });

  it('is the one of a changed role after the change', async () => {
    const { client, user } = await signedInClient(service);
    await service.machine('PATCH', `/internal/admin/users/${user.id}`, {
      body: { globalRole: 'PLATFORM_MODERATOR' },
    });
    expect((await client.request('GET', '/internal/users', { query: { limit: 1 } })).ok).toBe(true);
  });
});

describe('a refresh that fails', () => {
  it('keeps the tokens and reports 503 while the service is unavailable, never 401', async () => {
    const { client, store, proxy } = await signedInClient(service, { maxRetryWaitSeconds: 0 });
    store.damageToken();
    proxy.follow((route) => (route === 'POST /auth/refresh' ? { status: 503, retryAfter: 5 } : undefined));
    expect((await client.me()).error).toMatchObject({ code: 'service_unavailable', status: 503 });
    expect(store.session).toBeDefined();
    proxy.follow(() => undefined);
    expect((await client.me()).ok).toBe(true);
  });

  it('waits as Retry-After asks, and the request succeeds', async () => {
    const { client, store, proxy } = await signedInClient(service);
    store.damageToken();
    proxy.follow((route, earlier) =>
      route === 'POST /auth/refresh' && earlier === 0 ? { status: 429, retryAfter: 1 } : undefined,
    );
    expect((await client.me()).ok).toBe(true);
  });

  it('whose response is lost is repeated with the same token, and the user stays signed in', async () => {
    const { client, user, store, proxy } = await signedInClient(service);
    store.damageToken();
    proxy.follow((route, earlier) => (route === 'POST /auth/refresh' && earlier === 0 ? 'lose' : undefined));
    const results = await Promise.all(Array.from({ length: 10 }, () => client.me()));
    expect(results.filter(({ ok }) => ok)).toHaveLength(10);
    expect(proxy.count('POST /auth/refresh')).toBe(2);
    expect(await rotationsOf(service, user.email)).toBe(1);
    expect(client.session.state.status).toBe('signed_in');
  });

  it('without a connection keeps the tokens and reports a network failure', async () => {
    const { client, store, proxy } = await signedInClient(service);
    store.damageToken();
    proxy.follow((route) => (route === 'POST /auth/refresh' ? 'refuse' : undefined));
    expect((await client.me()).error).toMatchObject({ code: 'network_failure' });
    expect(client.session.state.status).toBe('signed_in');
    proxy.follow(() => undefined);
    expect((await client.me()).ok).toBe(true);
  });

  it('for an unknown refresh token ends the session as expired', async () => {
    const { client, store } = await signedInClient(service);
    store.session = { id: 'x', refreshAt: 0, accessToken: 'eyJ', refreshToken: `lkr_${'a'.repeat(72)}` };
    expect((await client.me()).error).toMatchObject({ code: 'unauthorized' });
    expect(client.session.state).toEqual({ status: 'signed_out', reason: 'expired' });
  });
});

describe('a confirmation with a wrong password', () => {
  it('is sent once, refreshes nothing and keeps the session', async () => {
    const { client, proxy } = await signedInClient(service);
    const { error } = await client.request('POST', '/auth/password/change', {
      body: { currentPassword: 'wrong', newPassword: 'a long walk home' },
    });
    expect(error).toMatchObject({ code: 'unauthorized', reason: 'current_password_wrong' });
    expect(proxy.count('POST /auth/password/change')).toBe(1);
    expect(proxy.count('POST /auth/refresh')).toBe(0);
    expect(client.session.state.status).toBe('signed_in');
  });
});

describe('a session that the service has revoked', () => {
  it('ends in the client with its reason, and the request gets `session_revoked`', async () => {
    const { client, user, store, proxy } = await signedInClient(service);
    await service.machine('POST', `/internal/admin/users/${user.id}/revoke-all`);
    const results = await Promise.all(Array.from({ length: 5 }, () => client.me()));
    expect(results.map(({ error }) => error?.code)).toEqual(Array(5).fill('session_revoked'));
    expect(client.session.state).toEqual({ status: 'signed_out', reason: 'revoked' });
    expect(store.session).toBeUndefined();
    expect(proxy.count('POST /auth/refresh')).toBe(0);
  });

  it('does not end a newer session in the same store, and the request gets its refusal', async () => {
    const { client, user, store, proxy } = await signedInClient(service);
    await service.machine('POST', `/internal/admin/users/${user.id}/revoke-all`);
    const { accessToken, refreshToken } = await service.signIn(user);
    proxy.follow((_route, earlier) => {
      if (earlier === 0)
        store.write({ id: 'new', refreshAt: Date.now() + 800_000, accessToken, refreshToken });
      return undefined;
    });
    expect((await client.me()).error?.code).toBe('session_revoked');
    expect(client.session.state.status).toBe('signed_in');
    expect((await client.me()).data?.email).toBe(user.email);
  });

  it('ends at a refresh, too', async () => {
    const { client, user, store } = await signedInClient(service);
    await service.machine('POST', `/internal/admin/users/${user.id}/revoke-all`);
    store.makeDue();
    expect((await client.me()).error?.code).toBe('session_revoked');
    expect(client.session.state).toEqual({ status: 'signed_out', reason: 'revoked' });
  });
});

describe('the sessions of the user', () => {
  it('are listed and ended', async () => {
    const { client, user } = await signedInClient(service);
    await service.signIn(user);
    const { data: sessions = [] } = await client.sessions.list();
    expect(sessions.map(({ current }) => current).sort()).toEqual([false, true]);
    const [other] = sessions.filter(({ current }) => !current);
    expect((await client.sessions.revoke(other?.id ?? '')).data).toEqual({ status: 'ok' });
    expect((await client.sessions.revokeOthers()).data).toMatchObject({ revoked: 0 });
    expect((await client.sessions.list()).data).toHaveLength(1);
  });
});
