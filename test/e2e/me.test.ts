import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeApart } from '../support/forged-token.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const me = (token: string) => service.api('GET', '/auth/me', { token });
const patchMe = (token: string, body: unknown) => service.api('PATCH', '/auth/me', { token, body });
const INVALID = { status: 400, code: 'validation_error' };

describe('my profile', () => {
  it('my profile has every field, null or left out where nothing is set', async () => {
    const user = await service.signedIn({ fullName: 'Ada Lovelace' });
    expect((await me(user.accessToken)).data).toEqual({
      id: user.id,
      email: user.email,
      name: 'Ada Lovelace',
      phonePrefix: null,
      phoneNumber: null,
      emailVerifiedAt: expect.stringMatching(/Z$/) as string,
      sessionId: takeApart(user.accessToken).claims.sid,
      globalRole: 'NONE',
      roles: [],
      tokenVersion: 1,
      vendorId: null,
      vendorRole: null,
      companyMemberships: [],
      businessUnitMemberships: [],
    });
  });

  it('my profile has contact data and picture once they are set', async () => {
    const { accessToken } = await service.signedIn();
    const contact = {
      phonePrefix: '+49',
      phoneNumber: '3012345',
      profilePictureUrl: 'https://example.com/a.png',
    };
    await patchMe(accessToken, contact);
    expect((await me(accessToken)).data).toMatchObject(contact);
  });

  it('my profile has the name from the database, not from the token', async () => {
    const user = await service.signedIn();
    await service.sql('UPDATE users SET full_name = $2 WHERE id = $1', [user.id, 'Countess']);
    expect((await me(user.accessToken)).data.name).toBe('Countess');
  });

  it('my profile has the memberships and their roles behind the platform role, each role once', async () => {
    const user = await service.signedIn({ role: 'PLATFORM_MODERATOR' });
    const [first, second, left] = [randomUUID(), randomUUID(), randomUUID()];
    const unit = randomUUID();
    const join = `INSERT INTO company_memberships (id, user_id, company_id, role, is_active, approval_limit)
      VALUES ($1, $2, $3, $4, $5, $6)`;
    const membershipId = randomUUID();
    await service.sql(join, [membershipId, user.id, first, 'ADMIN', true, '1000.50']);
    await service.sql(join, [randomUUID(), user.id, second, 'ADMIN', true, null]);
    await service.sql(join, [randomUUID(), user.id, left, 'TENANT_SUPERADMIN', false, null]);
    await service.sql(
      'INSERT INTO membership_module_grants (membership_id, module_key) VALUES ($1, $2), ($1, $3)',
      [membershipId, 'venues', 'artists'],
    );
    await service.sql(
      'INSERT INTO business_unit_memberships (id, user_id, company_id, business_unit_id) VALUES ($1, $2, $3, $4)',
      [randomUUID(), user.id, first, unit],
    );

    const { data } = await me(user.accessToken);
    expect(data.roles).toEqual(['PLATFORM_MODERATOR', 'ADMIN']);
    const companies = data.companyMemberships as Record<string, unknown>[];
    expect(companies.map(({ companyId }) => companyId).sort()).toEqual([first, second].sort());
    expect(companies.find(({ companyId }) => companyId === first)).toEqual({
      id: membershipId,
      userId: user.id,
      companyId: first,
      role: 'ADMIN',
      isActive: true,
      approvalLimit: '1000.50',
      financeRole: null,
      isPrimaryFinanceAdmin: false,
      moduleGrants: ['artists', 'venues'],
      permissionGrants: [],
      delegation: {
        canManageUsers: false,
        canBuyAddons: false,
        grantableModules: [],
        grantablePermissions: [],
      },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    });
    expect(data.businessUnitMemberships).toMatchObject([
      { companyId: first, businessUnitId: unit, isActive: true, financeRole: null, isPrimaryApprover: false },
    ]);
  });

  it('my profile is that of each caller when many ask at the same time', async () => {
    const users = await Promise.all(Array.from({ length: 8 }, () => service.signedIn()));
    const rounds = Array.from({ length: 5 }, () => users).flat();
    const answers = await Promise.all(rounds.map(({ accessToken }) => me(accessToken)));
    expect(answers.map(({ data }) => data.id)).toEqual(rounds.map(({ id }) => id));
  });
});

describe('changing my profile', () => {
  it('changing my profile returns the fields that can be changed', async () => {
    const user = await service.signedIn();
    const answer = await patchMe(user.accessToken, { fullName: '  Augusta Ada King ' });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.data).toEqual({
      id: user.id,
      email: user.email,
      fullName: 'Augusta Ada King',
      name: 'Augusta Ada King',
    });
    expect((await me(user.accessToken)).data.name).toBe('Augusta Ada King');
  });

  it('changing my profile keeps what is not named and clears what is empty', async () => {
    const { accessToken } = await service.signedIn({ fullName: 'Ada' });
    const contact = {
      phonePrefix: '+1',
      phoneNumber: '5550100',
      profilePictureUrl: 'https://example.com/a.png',
    };
    await patchMe(accessToken, contact);
    const named = await patchMe(accessToken, { fullName: 'Ada King' });
    expect(named.data).toMatchObject({ ...contact, fullName: 'Ada King' });
    const cleared = await patchMe(accessToken, { phonePrefix: '', phoneNumber: '', profilePictureUrl: '' });
    expect(Object.keys(cleared.data).sort()).toEqual(['email', 'fullName', 'id', 'name']);
    const profile = (await me(accessToken)).data;
    expect(profile).toMatchObject({ phonePrefix: null, phoneNumber: null, name: 'Ada King' });
    expect(profile).not.toHaveProperty('profilePictureUrl');
  });

  it.each([
    ['nothing', {}],
    ['a field that does not exist', { foo: 1 }],
    ['an empty name', { fullName: '' }],
    ['a name of blanks', { fullName: '  ' }],
    ['no name', { fullName: null }],
    ['a wrong dial code', { phonePrefix: '0049' }],
    ['a dial code prefix with 0', { phonePrefix: '+049' }],
    ['a number with blanks', { phoneNumber: '30 12345' }],
    ['a number with the dial code', { phoneNumber: '+493012345' }],
    ['a picture of 2,049 characters', { profilePictureUrl: `https://example.com/${'p'.repeat(2_030)}` }],
    ['a picture in data', { profilePictureUrl: 'data:image/png;base64,AAAA' }],
    ['half of a surrogate pair', { fullName: 'a\ud800' }],
  ])('changing my profile to %s is refused', async (_what, body) => {
    const { accessToken } = await service.signedIn({ fullName: 'Ada' });
    expect(await patchMe(accessToken, body)).toMatchObject(INVALID);
    expect((await me(accessToken)).data.name).toBe('Ada');
  });

  it('changing my profile cannot change email, role, approval or activity', async () => {
    const user = await service.signedIn();
    const input = { email: 'other@example.com', globalRole: 'PLATFORM_SUPERADMIN', isActive: false };
    expect(await patchMe(user.accessToken, input)).toMatchObject(INVALID);
    expect((await patchMe(user.accessToken, { ...input, fullName: 'Ada K' })).status).toBe(200);
    const detail = await service.machine('GET', `/internal/admin/users/${user.id}`);
    expect(detail.data).toMatchObject({
      email: user.email,
      globalRole: 'NONE',
      isActive: true,
      name: 'Ada K',
    });
  });

  it('changing my profile keeps any text as it was written', async () => {
    const { accessToken } = await service.signedIn();
    for (const fullName of [
      '{{7*7}}',
      "';-- DROP TABLE users",
      '=cmd()',
      '<b>Ada</b>',
      'עדה \u202e עדה',
      '\u200bAda',
    ]) {
      expect((await patchMe(accessToken, { fullName })).data.fullName).toBe(fullName.trim());
    }
  });

  it('changing my profile needs a token', async () => {
    const answer = await service.api('PATCH', '/auth/me', { body: { fullName: 'No Token' } });
    expect(answer).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });
});
