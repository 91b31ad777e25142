import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createTestAuth, type TestAuthOptions } from './create-test-auth.js';
import type { TestAuth } from './test-auth.js';
import { TestServer } from './test-server.js';

const databaseUrl = inject('postgres').url;
const createKit = (options: TestAuthOptions = {}) => createTestAuth({ databaseUrl, ...options });

/** A busy machine may need longer than by default. */
const SLOW_MACHINE = { timeout: 120_000 };

let kit: TestAuth;
let other: TestAuth;

beforeAll(async () => {
  [kit, other] = await Promise.all([createKit(), createKit()]);
});

afterAll(async () => {
  await Promise.all([kit.close(), other.close()]);
});

async function accessOf(owner: TestAuth, accessToken: string, companyId: string) {
  const member = await owner.auth.authenticator.authenticateWithMemberships(accessToken);
  const { user, ...principal } = member;
  return owner.auth.access.resolve({ ...principal, globalRole: user.globalRole }, companyId);
}

describe('a user of the kit', () => {
  it('a user of the kit is approved, active and signed in, and can sign in again', async () => {
    const { email, password, headers } = await kit.user();
    const { user } = await kit.auth.authenticator.authenticate(headers.authorization.slice('Bearer '.length));
    expect(user).toMatchObject({ email, approvalStatus: 'APPROVED', isActive: true, globalRole: 'NONE' });
    await kit.auth.login.withPassword({ email, password });
  });

  it('a user of the kit has the requested fields', async () => {
    const user = await kit.user({
      email: 'Grace@Example.com',
      fullName: 'Grace Hopper',
      globalRole: 'PLATFORM_ADMIN',
    });
    expect(user).toMatchObject({ email: 'grace@example.com', fullName: 'Grace Hopper' });
    expect(user.headers).not.toHaveProperty('x-org');
    await expect(kit.user({ email: 'grace@example.com' })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('a user of the kit may use the granted modules and permissions, and no others', async () => {
    const ada = await kit.user({ company: 'acme', modules: ['billing'], permissions: ['invoice.read'] });
    const bob = await kit.user({ company: 'acme', modules: ['stock'] });
    expect(ada.companyId).toBe(bob.companyId);
    expect(ada.headers['x-org']).toBe(ada.companyId);
    expect(await accessOf(kit, ada.accessToken, ada.companyId ?? '')).toMatchObject({
      modules: ['billing'],
      permissions: ['invoice.read'],
    });
    expect(await accessOf(kit, bob.accessToken, bob.companyId ?? '')).toMatchObject({
      modules: ['stock'],
    });
  });

  it('a user of the kit may use no more than the entitlements of the company', async () => {
    const company = await kit.company({ name: 'small', modules: ['stock'], permissions: ['stock.read'] });
    const user = await kit.user({
      company: 'small',
      modules: ['billing', 'stock'],
      permissions: ['stock.read', 'stock.write'],
    });
    expect(user.companyId).toBe(company.id);
    expect(await accessOf(kit, user.accessToken, company.id)).toMatchObject({
      modules: ['stock'],
      permissions: ['stock.read'],
    });
  });

  it.each([
    ['permissions', 'invoices:approve', 'an array of texts'],
    ['modules', ['billing', 7], 'an array of texts'],
    ['email', 7, 'text'],
    ['globalRole', 'ADMIN', 'one of NONE'],
  ])('a user of the kit with a wrong value of %s is refused', async (field, value, allowed) => {
    const wanted = { company: 'acme', [field]: value };
    await expect(kit.user(wanted)).rejects.toThrow(`kit.user: option ${field} must be ${allowed}`);
  });

  it('misspelt fields of a user or company are refused, and so are modules that are one text', async () => {
    await expect(kit.user({ modul: ['billing'] } as object)).rejects.toThrow('Did you mean modules?');
    await expect(kit.company({ modules: 'billing' as never })).rejects.toThrow(
      'kit.company: option modules must be an array of texts',
    );
  });

  it('a user of the kit requires a company for a company role', async () => {
    await expect(kit.user({ modules: ['billing'] })).rejects.toThrow(/name one, as in company: 'acme'/);
  });
});

describe('the mail of the kit', () => {
  it('a mail of the kit has its kind, link and token, and is returned once', async () => {
    const { email } = await kit.user();
    await kit.auth.passwordReset.request({ email });
    const mail = await kit.mail.waitFor(email, 'password_reset', SLOW_MACHINE);
    expect(mail.link).toContain(`token=${encodeURIComponent(mail.token ?? '')}`);
    expect(mail.token?.length).toBeGreaterThan(20);
    await kit.auth.passwordReset.request({ email });
    const next = await kit.mail.waitFor(email, 'password_reset', SLOW_MACHINE);
    expect(next.token).not.toBe(mail.token);
    expect(kit.mail.to(email.toUpperCase())).toEqual([mail, next]);
    kit.mail.clear();
    expect(kit.mail.all()).toEqual([]);
  });

  it('a mail with two links has both, with their secrets', async () => {
    const own = await createKit({ settings: { REGISTRATION_APPROVAL: 'verified' } });
    const email = 'two-links@example.com';
    await own.auth.registration.register({ email, password: 'a fine long password', fullName: 'Ada' });
    const { link, token, links, tokens } = await own.mail.waitFor(email, undefined, SLOW_MACHINE);
    expect([links[0], tokens[0]]).toEqual([link, token]);
    expect(links[1]).toContain(`/reject-registration?token=${tokens[1] ?? ''}`);
    expect(await own.auth.emailVerification.reject({ token: tokens[1] ?? '' })).toEqual({ status: 'ok' });
    await own.close();
  });

  it('a missing mail is an error that names the mails that arrived', async () => {
    const { email } = await kit.user();
    const wait = (kind: 'invitation') => kit.mail.waitFor('unknown@example.com', kind, { timeout: 30 });
    kit.mail.clear();
    await expect(wait('invitation')).rejects.toThrow(
      'No mail of the kind invitation to unknown@example.com arrived within 30 ms. No mail arrived at all.',
    );
    await kit.auth.passwordReset.request({ email });
    await kit.mail.waitFor(email, undefined, SLOW_MACHINE);
    await expect(wait('invitation')).rejects.toThrow(
      `What arrived: password_reset to ${email} (given before).`,
    );
  });
});

describe('two kits at once', () => {
  it('two kits share neither users nor mail', async () => {
    const { email, accessToken, companyId } = await kit.user({ company: 'acme' });
    await expect(other.auth.authenticator.authenticate(accessToken)).rejects.toMatchObject({
      code: 'unauthorized',
    });
    const same = await other.user({ email, company: 'acme' });
    expect(same.companyId).toBe(companyId);
    await other.auth.passwordReset.request({ email });
    await other.mail.waitFor(email, undefined, SLOW_MACHINE);
    expect(kit.mail.to(email)).toEqual([]);
  });

  it('two kits have clocks of their own', async () => {
    const { accessToken } = await kit.user();
    await other.clock.advance('1d');
    await kit.auth.authenticator.authenticate(accessToken);
    expect(other.clock.now().getTime() - kit.clock.now().getTime()).toBeGreaterThan(86_000_000);
  });
});

describe('what is given to a kit', () => {
  it('a kit accepts settings, hooks, claims and entitlements', async () => {
    await using own = await createKit({
      settings: { ACCESS_TOKEN_TTL: '60', AUTH_INTERNAL_API_KEY: 'another-machine-key' },
      claims: ({ globalRole }) => ({ isStaff: globalRole !== 'NONE' }),
      entitlements: () => ({ modules: ['everything'] }),
    });
    expect(own.internalKey).toBe('another-machine-key');
    expect(own.auth.settings.tokens.accessTokenTtl).toBe(60);
    const { accessToken } = await own.user({ globalRole: 'PLATFORM_ADMIN' });
    const principal = await own.auth.authenticator.authenticate(accessToken);
    expect(principal.claims).toEqual({ isStaff: true });
    const view = await accessOf(own, accessToken, '0b4d8a4e-7a2b-4a9e-8a51-5d2b1b1c9f10');
    expect(view.modules).toEqual(['everything']);
  });

  it.each([
    [{ accessTokenTtl: '60' }, /did you mean ACCESS_TOKEN_TTL\?/],
    [{ ACCESS_TOKEN_TTL: 'soon' }, /ACCESS_TOKEN_TTL[\s\S]*expected/],
    [{ DATABASE_URL: databaseUrl }, /give the server as databaseUrl/],
  ])('invalid settings of a kit are rejected with the reason: %j', async (settings, message) => {
    await expect(createKit({ settings })).rejects.toThrow(message);
  });

  it.each([
    ['localhost:5432', TypeError, /must have the form postgres:/],
    ['postgres://unknown@127.0.0.1:1/none', Error, /No PostgreSQL answers at 127\.0\.0\.1:1/],
  ])('a databaseUrl without a server is rejected: %s', async (url, kind, message) => {
    const refusal = await createTestAuth({ databaseUrl: url }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(kind);
    expect(String(refusal)).toMatch(message);
  });

  it('an account that may not create databases is rejected', async () => {
    const role = `latchkey_guest_${randomBytes(4).toString('hex')}`;
    const server = new TestServer(databaseUrl);
    await server.withClient((admin) => admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'guest'`));
    const url = new URL(databaseUrl);
    Object.assign(url, { username: role, password: 'guest' });
    try {
      await expect(createTestAuth({ databaseUrl: url.href })).rejects.toThrow(
        `ALTER ROLE "${role}" CREATEDB`,
      );
    } finally {
      await server.withClient((admin) => admin.query(`DROP ROLE ${role}`));
      await server.close();
    }
  });
});

it('a closed kit leaves no database, however often it is closed', async () => {
  const own = await createKit();
  const { databaseUrl: url } = own;
  await Promise.all([own.close(), own.close()]);
  await expect(new pg.Client(url).connect()).rejects.toMatchObject({ code: '3D000' });
});
