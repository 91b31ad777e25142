import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshEmail, InvitationClient } from '../support/invitation-client.js';
import { signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { openConnection } from '../support/open-connection.js';
import { startTestService, type TestService } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const BAD_INPUT = { status: 400, code: 'validation_error' };
const FORBIDDEN = { status: 403, code: 'forbidden' };
const NOT_FOUND = { status: 404, code: 'not_found' };
const CONFLICT = { status: 409, code: 'conflict' };
const OTHER_COMPANY = randomUUID();

let service: TestService;
let testClient: InvitationClient;
let superadmin: SignedInTestUser;
let delegate: SignedInTestUser;
let member: SignedInTestUser;
let otherAdmin: SignedInTestUser;
beforeAll(async () => {
  service = await startTestService({ smtp: true, env: { AUTH_BASE_URL: 'https://auth.example.org' } });
  testClient = await InvitationClient.open(service);
  superadmin = await testClient.member({ role: 'TENANT_SUPERADMIN' });
  member = await testClient.member();
  delegate = await testClient.member({
    moduleGrants: ['billing', 'events', 'reports'],
    delegation: {
      canManageUsers: true,
      grantableModules: ['billing', 'events'],
      grantablePermissions: ['bill.read'],
    },
  });
  otherAdmin = await testClient.member({ role: 'ADMIN', companyId: OTHER_COMPANY });
});
afterAll(() => service.stop());

describe('an invitation', () => {
  it('an invitation is pending, complete, and its mail leads to the public address', async () => {
    const email = freshEmail();
    const before = Date.now();
    const answer = await testClient.create(
      { email: email.toUpperCase(), moduleGrants: ['billing', 'billing'], metadata: { note: 'für Zoë' } },
      {
        ...testClient.as(),
        headers: { 'x-org': testClient.company.toUpperCase(), 'x-forwarded-host': 'evil.example.net' },
      },
    );
    expect(answer.status).toBe(201);
    const text = expect.any(String) as string;
    expect(answer.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/) as string,
      email,
      companyId: testClient.company,
      role: 'MEMBER',
      status: 'PENDING',
      invitedByUserId: testClient.admin.id,
      expiresAt: text,
      lastSentAt: text,
      moduleGrants: ['billing'],
      permissionGrants: [],
      delegation: {
        canManageUsers: false,
        canBuyAddons: false,
        grantableModules: [],
        grantablePermissions: [],
      },
      metadata: { note: 'für Zoë' },
      createdAt: text,
      updatedAt: text,
    });
    const days = (Date.parse(String(answer.data.expiresAt)) - before) / 86_400_000;
    expect(days).toBeCloseTo(7, 2);
    const { link } = await service.mailTo(email);
    expect(link).toMatch(/^https:\/\/auth\.example\.org\/accept-invitation\?token=lki_[A-Za-z0-9_-]{43}$/);
    expect(answer.text).not.toContain('lki_');
  });

  it.each([
    ['no email', { email: undefined }],
    ['no address as email', { email: 'x' }],
    ['a role in lower case', { role: 'member' }],
    ['a role that is too long', { role: 'A'.repeat(65) }],
    ['modules that are no list', { moduleGrants: 'billing' }],
    ['a module that is no key', { moduleGrants: ['a b'] }],
    ['501 permissions', { permissionGrants: Array.from({ length: 501 }, (_, index) => `p${index}`) }],
    ['a delegation that is no object', { delegation: 'all' }],
    ['a delegation flag that is text', { delegation: { canManageUsers: 'yes' } }],
    ['metadata that is a list', { metadata: ['x'] }],
    ['too much metadata', { metadata: { text: 'x'.repeat(17_000) } }],
    ['a NUL in metadata', { metadata: { text: 'a\0b' } }],
  ])('an invitation with %s is refused', async (_what, fields) => {
    const email = freshEmail();
    expect(await testClient.create({ email, ...fields })).toMatchObject(BAD_INPUT);
    expect(await testClient.statesOf(email)).toEqual([]);
  });

  it('an invitation needs a company in x-org that is a UUID', async () => {
    const email = freshEmail();
    for (const headers of [
      {},
      { 'x-org': 'x' },
      { 'x-org': '' },
      { 'x-org': [testClient.company, testClient.company] },
    ]) {
      const answer = await testClient.create({ email }, { token: testClient.admin.token, headers });
      expect(answer).toMatchObject(BAD_INPUT);
      expect(answer.message).toContain('x-org');
    }
    expect(await testClient.statesOf(email)).toEqual([]);
  });

  it('an invitation is refused for an email with an open one, in any spelling, but not in another company', async () => {
    const { email } = await testClient.invite();
    expect(await testClient.create({ email: ` ${email.toUpperCase()}` })).toMatchObject(CONFLICT);
    expect(await testClient.statesOf(email)).toEqual(['PENDING']);
    expect((await testClient.create({ email }, testClient.as(otherAdmin, OTHER_COMPANY))).status).toBe(201);
  });

  it('an invitation is refused for a member, unless they are one no more', async () => {
    expect(await testClient.create({ email: member.email })).toMatchObject(CONFLICT);
    const former = await testClient.member({ active: false });
    expect((await testClient.create({ email: former.email })).status).toBe(201);
  });

  it('an invitation may follow one that has expired or was cancelled', async () => {
    const { id, email } = await testClient.invite();
    await testClient.expire(id);
    const second = await testClient.invite({ email });
    expect(await testClient.statesOf(email)).toEqual(['EXPIRED', 'PENDING']);
    await testClient.cancel(second.id);
    await testClient.invite({ email });
    expect(await testClient.statesOf(email)).toEqual(['EXPIRED', 'CANCELLED', 'PENDING']);
  });

  it('an invitation is made once when requested many times at once', async () => {
    const email = freshEmail();
    const answers = await Promise.all(Array.from({ length: 8 }, () => testClient.create({ email })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    expect(await testClient.statesOf(email)).toEqual(['PENDING']);
  });
});

describe('callers who can invite', () => {
  it.each(['PLATFORM_SUPERADMIN', 'PLATFORM_ADMIN'] as const)('%s: to any company', async (role) => {
    const staff = await signedInUser(service, { role });
    const answer = await testClient.create(
      { email: freshEmail(), role: 'TENANT_SUPERADMIN' },
      testClient.as(staff),
    );
    expect(answer.status, answer.text).toBe(201);
  });

  it('a TENANT_SUPERADMIN and an ADMIN can invite to their company only', async () => {
    for (const person of [superadmin, testClient.admin]) {
      expect((await testClient.create({ email: freshEmail() }, testClient.as(person))).status).toBe(201);
      expect(
        await testClient.create({ email: freshEmail() }, testClient.as(person, OTHER_COMPANY)),
      ).toMatchObject(FORBIDDEN);
    }
  });

  it('other callers cannot invite: members, former administrators, moderators, strangers', async () => {
    const people = [
      member,
      await testClient.member({ role: 'ADMIN', active: false }),
      await testClient.member({ active: false, delegation: { canManageUsers: true } }),
      await signedInUser(service, { role: 'PLATFORM_MODERATOR' }),
      await signedInUser(service),
    ];
    const { id } = await testClient.invite();
    for (const person of people) {
      const email = freshEmail();
      expect(await testClient.create({ email }, testClient.as(person))).toMatchObject(FORBIDDEN);
      expect(await testClient.statesOf(email)).toEqual([]);
      expect(await service.api('GET', '/auth/invitations', testClient.as(person))).toMatchObject(FORBIDDEN);
      expect(await testClient.resend(id, testClient.as(person))).toMatchObject(FORBIDDEN);
      expect(await testClient.cancel(id, testClient.as(person))).toMatchObject(FORBIDDEN);
    }
    expect(await service.api('POST', '/auth/invitations', { body: {} })).toMatchObject({ status: 401 });
  });

  it('an ADMIN invites no TENANT_SUPERADMIN, neither by a new invitation nor by sending one anew', async () => {
    const role = 'TENANT_SUPERADMIN';
    expect(await testClient.create({ email: freshEmail(), role })).toMatchObject(FORBIDDEN);
    const { id, token } = await testClient.invite({ role }, testClient.as(superadmin));
    expect(await testClient.resend(id)).toMatchObject(FORBIDDEN);
    expect((await testClient.preview(token)).status).toBe(200);
  });

  describe('a delegate', () => {
    const offer = (fields: object) =>
      testClient.create({ email: freshEmail(), ...fields }, testClient.as(delegate));

    it('a delegate grants what they may grant', async () => {
      const answer = await offer({
        role: 'MEMBER',
        moduleGrants: ['events'],
        permissionGrants: ['bill.read'],
      });
      expect(answer).toMatchObject({ status: 201, data: { moduleGrants: ['events'] } });
    });

    it('a delegate grants all of it when they name no modules, because a member without grants may have every module', async () => {
      expect(await offer({})).toMatchObject({ status: 201, data: { moduleGrants: ['billing', 'events'] } });
    });

    it.each([
      ['another role', { role: 'ADMIN' }],
      ['a role of the company', { role: 'ACCOUNTANT' }],
      ['a module they only hold', { moduleGrants: ['reports'] }],
      ['no module at all', { moduleGrants: [] }],
      ['a permission that is not theirs to grant', { permissionGrants: ['bill.read', 'bill.write'] }],
      ['their own delegation', { delegation: { canManageUsers: true } }],
      ['a delegation they lack', { delegation: { canBuyAddons: true } }],
      ['something to grant', { delegation: { grantableModules: ['billing'] } }],
    ])('a delegate does not grant %s', async (_what, fields) => {
      expect(await offer(fields)).toMatchObject(FORBIDDEN);
    });

    it('a delegate may not send anew what they could not have offered, but may take it back', async () => {
      const { id } = await testClient.invite({ moduleGrants: ['reports'] });
      expect(await testClient.resend(id, testClient.as(delegate))).toMatchObject(FORBIDDEN);
      expect((await testClient.cancel(id, testClient.as(delegate))).status).toBe(200);
    });
  });

  it("a delegate's rights are those at the moment of writing, not those at the start of the request", async () => {
    const fading = await testClient.member({ role: 'ADMIN' });
    const email = freshEmail();
    const client = await openConnection(service.databaseUrl);
    try {
      await client.query('BEGIN');
      await client.query('UPDATE company_memberships SET is_active = false WHERE user_id = $1', [fading.id]);
      const answer = testClient.create({ email }, testClient.as(fading));
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await waitUntil(async () => (await service.sql(waiting)).length > 0, { what: 'a request that waits' });
      await client.query('COMMIT');
      expect(await answer).toMatchObject(FORBIDDEN);
    } finally {
      await client.end();
    }
    expect(await testClient.statesOf(email)).toEqual([]);
  });
});

describe('reading invitations', () => {
  it('the list of invitations holds those of the company, newest first, page by page', async () => {
    const company = randomUUID();
    const boss = await testClient.member({ companyId: company, role: 'ADMIN' });
    const list = (query = '') =>
      service.api('GET', `/auth/invitations${query}`, testClient.as(boss, company));
    expect(await list()).toMatchObject({ status: 200, items: [], headers: { 'x-total-count': '0' } });
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      ids.unshift((await testClient.create({ email: freshEmail() }, testClient.as(boss, company))).data.id);
    }
    const all = await list();
    expect(all.items.map(({ id }) => id)).toEqual(ids);
    const page = await list('?limit=1&offset=1');
    expect(page.items.map(({ id }) => id)).toEqual([ids[1]]);
    expect(page.headers['x-total-count']).toBe('3');
    expect((await list('?offset=9')).headers['x-total-count']).toBe('3');
    expect(await list('?limit=0')).toMatchObject(BAD_INPUT);
    expect(await service.api('GET', '/auth/invitations', { token: boss.token })).toMatchObject(BAD_INPUT);
  });

  it('an invitation is shown to callers who can invite and to the invited user, to no other caller', async () => {
    const guest = await signedInUser(service);
    const { id } = await testClient.invite({ email: guest.email });
    const staff = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
    for (const { token } of [testClient.admin, superadmin, delegate, guest, staff]) {
      expect(await testClient.get(id.toUpperCase(), { token })).toMatchObject({ status: 200, data: { id } });
    }
    for (const { token } of [member, otherAdmin])
      expect(await testClient.get(id, { token })).toMatchObject(NOT_FOUND);
    expect(await testClient.get(id, testClient.as(staff, OTHER_COMPANY))).toMatchObject(NOT_FOUND);
    expect(
      await testClient.get(id, { token: testClient.admin.token, headers: { 'x-org': 'x' } }),
    ).toMatchObject(BAD_INPUT);
    expect(await testClient.get(randomUUID())).toMatchObject(NOT_FOUND);
    expect(await testClient.get('x')).toMatchObject(BAD_INPUT);
    expect(await testClient.get(id, {})).toMatchObject({ status: 401 });
  });

  it('an invitation is not shown to a user who registered its address without proving the mailbox', async () => {
    const guest = await signedInUser(service, { emailVerified: false });
    const { id } = await testClient.invite({ email: guest.email, metadata: { salary: 50_000 } });
    expect(await testClient.get(id, { token: guest.token })).toMatchObject(NOT_FOUND);
    await service.sql('UPDATE users SET email_verified_at = now() WHERE id = $1', [guest.id]);
    expect(await testClient.get(id, { token: guest.token })).toMatchObject({ status: 200, data: { id } });
  });

  it('an expired invitation is shown as expired', async () => {
    const { id } = await testClient.invite();
    await testClient.expire(id);
    expect((await testClient.get(id)).data).toMatchObject({ id, status: 'EXPIRED' });
  });
});
