import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';
import { PASSWORD, type TestUser } from '../support/test-users.js';
import { signedInClient, type ClientFixture } from './client-fixture.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const RENAMED = { body: { fullName: 'Typed by the first user' } };

const nameOf = async (user: TestUser): Promise<unknown> =>
  (await service.sql('SELECT full_name FROM users WHERE id = $1', [user.id]))[0]?.full_name;

/** Lets a second user sign in, as in another tab that shares the store, when the first request of a route is under way. */
async function replacedDuring(route: string, { proxy, store }: ClientFixture): Promise<TestUser> {
  const second = await service.createUser({ fullName: 'Second User' });
  const { accessToken, refreshToken } = await service.signIn(second);
  const refreshAt = Date.now() + 800_000;
  proxy.follow((asked, earlier) => {
    if (asked === route && earlier === 0) store.write({ id: 'second', refreshAt, accessToken, refreshToken });
    return undefined;
  });
  return second;
}

describe('a request of one user, while another one signs in with the same store', () => {
  it('whose session was revoked is not sent as the other user', async () => {
    const fixture = await signedInClient(service);
    const { client, user, proxy, store } = fixture;
    await service.machine('POST', `/internal/admin/users/${user.id}/revoke-all`);
    const second = await replacedDuring('PATCH /auth/me', fixture);
    expect((await client.request('PATCH', '/auth/me', RENAMED)).error?.code).toBe('session_revoked');
    expect(proxy.count('PATCH /auth/me')).toBe(1);
    expect(await nameOf(second)).toBe('Second User');
    expect(store.session?.id).toBe('second');
    expect((await client.me()).data?.email).toBe(second.email);
  });

  it('whose access token is refused is not sent as the other user', async () => {
    const fixture = await signedInClient(service);
    fixture.store.damageToken();
    const second = await replacedDuring('PATCH /auth/me', fixture);
    const { error } = await fixture.client.request('PATCH', '/auth/me', RENAMED);
    expect(error?.code).toBe('unauthorized');
    expect(fixture.proxy.count('PATCH /auth/me')).toBe(1);
    expect(await nameOf(second)).toBe('Second User');
  });

  it('that waits for a renewal is sent with the tokens that it began with', async () => {
    const { client, user, store } = await signedInClient(service);
    const second = await service.createUser({ fullName: 'Second User' });
    const { accessToken, refreshToken } = await service.signIn(second);
    const { session } = store;
    store.makeDue();
    const patched = client.request('PATCH', '/auth/me', RENAMED);
    // The request has read the store once, and reads it again in the lock of the renewal.
    store.write({ id: 'second', refreshAt: Date.now() + 800_000, accessToken, refreshToken });
    expect((await patched).data?.email).toBe(user.email);
    expect(await nameOf(second)).toBe('Second User');
    expect(session?.id).not.toBe('second');
  });
});

describe('a step-up of one user, while another one signs in with the same store', () => {
  const proof = { password: PASSWORD };

  it('whose access token is stored later is dropped with an error, and requests stay those of the other user', async () => {
    const fixture = await signedInClient(service);
    const { client, store } = fixture;
    const { data } = await client.request('POST', '/auth/step-up', { body: proof });
    const second = await service.createUser({ fullName: 'Second User' });
    const { accessToken, refreshToken } = await service.signIn(second);
    const others = { id: 'second', refreshAt: Date.now() + 800_000, accessToken, refreshToken };
    store.write(others);
    await expect(client.session.start(data ?? { expiresIn: 0 })).rejects.toThrow('Another sign-in replaced');
    expect(store.session).toEqual(others);
    expect((await client.me()).data?.email).toBe(second.email);
    store.clear();
    await expect(client.session.start(data ?? { expiresIn: 0 })).rejects.toThrow('Another sign-in replaced');
    expect(store.session).toBeUndefined();
  });

  it('ends with session_replaced and changes nothing', async () => {
    const fixture = await signedInClient(service);
    const { client, store } = fixture;
    const second = await replacedDuring('POST /auth/step-up', fixture);
    const { ok, error } = await client.stepUp(proof);
    expect([ok, error?.code]).toEqual([false, 'session_replaced']);
    expect(store.session?.id).toBe('second');
    expect((await client.me()).data?.email).toBe(second.email);
  });

  it('goes on with the session otherwise, also when its tokens were renewed meanwhile', async () => {
    const { client, store, user } = await signedInClient(service);
    store.makeDue();
    const before = store.session;
    expect((await client.stepUp({ password: 'wrong' })).error?.code).toBe('unauthorized');
    expect((await client.stepUp(proof)).ok).toBe(true);
    expect(store.session?.id).toBe(before?.id);
    expect(store.session?.accessToken).not.toBe(before?.accessToken);
    expect(store.session?.refreshToken).toBeDefined();
    expect((await client.session.renew()).ok).toBe(true);
    expect((await client.me()).data?.email).toBe(user.email);
  });
});
