import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createTestAuth } from '@latchkey/testing';
import type { Answer } from '../support/api-client.js';
import { AuthenticatorApp } from '../support/authenticator-app.js';
import { startGuardedHost, type GuardedHost } from '../support/guarded-host.js';

type Kit = Awaited<ReturnType<typeof createTestAuth>>;

const DEMANDING = randomUUID();
const ORDINARY = randomUUID();
const MACHINE = { kind: 'machine', name: 'tests' } as const;

let kit: Kit;
let host: GuardedHost;
beforeAll(async () => {
  kit = await createTestAuth({
    databaseUrl: inject('postgres').url,
    settings: { SECOND_FACTOR: 'staff' },
    entitlements: (companyId) => ({ modules: ['billing'], requireSecondFactor: companyId === DEMANDING }),
  });
  host = await startGuardedHost(kit.auth, (mount, guards) => {
    mount('/one', guards.requireFactors(1));
    mount('/two', guards.requireFactors(2));
    mount('/admin', guards.requireRole('PLATFORM_ADMIN'));
    mount('/billing', guards.requireAccess({ module: 'billing' }));
    expect(() => guards.requireFactors(3 as 2)).toThrow(TypeError);
    expect(() => guards.requireFactors({} as 2)).toThrow(TypeError);
  });
});
afterAll(async () => {
  await host.stop();
  await kit.close();
});

const get = (path: string, token: string, companyId?: string): Promise<Answer> =>
  host.client.send('GET', path, { token, headers: companyId === undefined ? {} : { 'x-org': companyId } });

/** A member of both companies, with a session of one factor and one of two. */
async function member(): Promise<{ id: string; weak: string; strong: string }> {
  const { id, email, password, accessToken: weak } = await kit.user();
  for (const companyId of [DEMANDING, ORDINARY]) {
    await kit.auth.memberships.upsertCompany(MACHINE, companyId, { userId: id, moduleGrants: ['billing'] });
  }
  const { factors, authenticator, login } = kit.auth;
  const begun = await factors?.own.begin(await authenticator.authenticate(weak));
  const app = new AuthenticatorApp(begun?.secret ?? '');
  await factors?.own.confirm(await authenticator.authenticate(weak), begun?.id ?? '', app.next());
  const result = await login.withPassword({ email, password });
  const challenge = 'secondFactor' in result ? result.secondFactor.challenge : '';
  const tokens = await factors?.signIn.complete({ challenge, code: app.next() });
  return { id, weak, strong: tokens?.accessToken ?? '' };
}

describe('guards of a host app', () => {
  it('requireFactors asks for the level of the sign-in (RFC 9470)', async () => {
    const { weak, strong } = await member();
    expect((await get('/one', weak)).status).toBe(200);
    const denied = await get('/two', weak);
    expect(denied).toMatchObject({ status: 401, code: 'reauthentication_required' });
    expect(denied.headers['www-authenticate']).toBe(
      'Bearer error="insufficient_user_authentication", acr_values="aal2"',
    );
    expect((await get('/two', strong)).status).toBe(200);
  });

  it('requireRole gives staff without a required factor no rights', async () => {
    const { id, weak } = await member();
    const { authenticator } = kit.auth;
    expect((await authenticator.authenticate(weak)).acr).toBe('aal1');
    await kit.auth.admin.users.patch({ kind: 'operator', name: 'tests' }, id, {
      globalRole: 'PLATFORM_ADMIN',
    });
    const { accessToken } = await kit.auth.sessionMinting.mint(MACHINE, id);
    expect(await get('/admin', accessToken)).toMatchObject({ status: 403, code: 'second_factor_required' });
    expect(await get('/billing', accessToken, ORDINARY)).toMatchObject({ status: 403 });
  });
});

describe('a company that requires a second factor', () => {
  it('access is denied in a session with one factor', async () => {
    const { id, weak, strong } = await member();
    expect(await get('/billing', weak, DEMANDING)).toMatchObject({
      status: 403,
      code: 'second_factor_required',
    });
    expect((await get('/billing', weak, ORDINARY)).status).toBe(200);
    expect((await get('/billing', strong, DEMANDING)).status).toBe(200);
    expect((await kit.auth.access.resolveOf(id, DEMANDING)).modules).toEqual(['billing']);
  });

  it('access of a subject of unknown level is denied', async () => {
    const { weak } = await member();
    const { acr: _acr, ...subject } = await kit.auth.authenticator.authenticateWithMemberships(weak);
    await expect(kit.auth.access.resolve(subject, DEMANDING)).rejects.toMatchObject({
      code: 'second_factor_required',
    });
  });
});
