import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CoreService } from '../../examples/core-service/core-service.js';
import { insertInvitation } from '../support/insert-invitation.js';
import { freshEmail } from '../support/invitation-client.js';
import { signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';
import { insertMembership } from '../support/test-memberships.js';
import { waitUntil } from '../support/wait-until.js';

interface Company {
  id: string;
  name?: string;
  activeMembers: number;
  openInvitations: number;
  lastActivityAt?: string;
}

const CORE_KEY = 'key-of-the-core-service';

let core: CoreService;
let service: TestService;
let admin: SignedInTestUser;
let moderator: SignedInTestUser;

beforeAll(async () => {
  core = await CoreService.start({ apiKey: CORE_KEY });
  service = await startTestService({
    env: { CORE_BASE_URL: core.url, CORE_INTERNAL_API_KEY: CORE_KEY },
  });
  admin = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
  moderator = await signedInUser(service, { role: 'PLATFORM_MODERATOR' });
});

afterAll(async () => {
  await service.stop();
  await core.stop();
});

async function list(query: Record<string, string>): Promise<{ items: Company[]; next: string | undefined }> {
  const search = new URLSearchParams(query).toString();
  const answer = await service.api('GET', `/internal/companies?${search}`, { token: moderator.token });
  expect(answer.status, answer.text).toBe(200);
  const next = answer.headers['x-next-cursor'];
  return { items: answer.items as unknown as Company[], next: typeof next === 'string' ? next : undefined };
}

const find = async (id: string): Promise<Company | undefined> => (await list({ ids: id })).items[0];

const join = async (companyId: string, active = true): Promise<string> => {
  const { id } = await signedInUser(service);
  await insertMembership(service.sql, { userId: id, companyId, active });
  return id;
};

const invite = async (companyId: string, companyName: unknown, by = admin): Promise<void> => {
  const answer = await service.api('POST', '/auth/invitations', {
    token: by.token,
    headers: { 'x-org': companyId },
    body: { email: freshEmail(), metadata: { companyName } },
  });
  expect(answer.status, answer.text).toBe(201);
};

describe('the list of companies', () => {
  it('a company is listed with its active members, open invitations and last activity', async () => {
    const id = randomUUID();
    expect(await find(id)).toBeUndefined();
    await join(id);
    await join(id);
    await join(id, false);
    await insertInvitation(service.sql, { companyId: id });
    const closed = await insertInvitation(service.sql, { companyId: id });
    await service.sql('UPDATE invitations SET expires_at = now() WHERE id = $1', [closed]);
    expect(await find(id)).toEqual({
      id,
      activeMembers: 2,
      openInvitations: 1,
      lastActivityAt: expect.stringMatching(/Z$/) as string,
    });
  });

  it('a company that has only an invitation is listed, and one whose last rows were removed is not', async () => {
    const id = randomUUID();
    const invitation = await insertInvitation(service.sql, { companyId: id });
    expect(await find(id)).toMatchObject({ activeMembers: 0, openInvitations: 1 });
    await service.sql('DELETE FROM invitations WHERE id = $1', [invitation]);
    expect(await find(id)).toBeUndefined();
  });

  it('pages by cursor show each company once, by name and then those without one', async () => {
    const prefix = `Paged ${randomUUID().slice(0, 8)}`;
    const ids = Array.from({ length: 5 }, () => randomUUID());
    for (const [index, id] of ids.entries()) await invite(id, `${prefix} ${'EDCBA'.charAt(index)}`);
    await join(randomUUID());
    const seen: Company[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ search: prefix.toUpperCase(), limit: '2', ...(cursor && { cursor }) });
      seen.push(...page.items);
      cursor = page.next;
    } while (cursor !== undefined);
    expect(seen.map(({ id }) => id)).toEqual(ids.toReversed());

    const { items } = await list({ limit: '1000' });
    const firstUnnamed = items.findIndex(({ name }) => name === undefined);
    expect(items.slice(firstUnnamed).every(({ name }) => name === undefined)).toBe(true);
  });

  it.each(['nope', 'bm9wZQ', '0'])('the cursor %s is rejected', async (cursor) => {
    const answer = await service.api('GET', `/internal/companies?cursor=${cursor}`, { token: admin.token });
    expect(answer).toMatchObject({ status: 400, code: 'validation_error' });
  });

  it('a search finds the start of a name in any case and the start of an id, and no pattern', async () => {
    const id = randomUUID();
    const name = `Öl & Söhne ${id.slice(0, 8)}`;
    await invite(id, name);
    const found = async (search: string) => (await list({ search })).items.map((each) => each.id);
    expect(await found(`öL & SÖHNE ${id.slice(0, 8)}`)).toEqual([id]);
    expect(await found(id.slice(0, 13).toUpperCase())).toEqual([id]);
    expect(await found('Söhne')).toEqual([]);
    expect(await found('%')).toEqual([]);
  });

  it('only known companies of a list of ids are returned, and text that is no list of ids is rejected', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    await join(one);
    await join(other);
    const { items } = await list({ ids: [one.toUpperCase(), randomUUID(), other].join(',') });
    expect(items.map(({ id }) => id).toSorted()).toEqual([one, other].toSorted());
    for (const ids of ['', 'x', `${one},`, Array.from({ length: 101 }, () => one).join(',')]) {
      const answer = await service.api('GET', `/internal/companies?ids=${ids}`, { token: admin.token });
      expect(answer).toMatchObject({ status: 400, code: 'validation_error' });
    }
  });

  it('users without a role on the platform do not read it', async () => {
    const id = randomUUID();
    const user = await signedInUser(service);
    await insertMembership(service.sql, { userId: user.id, companyId: id, role: 'TENANT_SUPERADMIN' });
    const answer = await service.api('GET', '/internal/companies', { token: user.token });
    expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
  });
});

describe('the name of a company', () => {
  it('the latest invitation with a plain name gives it', async () => {
    const id = randomUUID();
    await invite(id, 'Acme');
    await invite(id, 'Acme Ltd');
    await invite(id, undefined);
    await invite(id, 'https://evil.example/<b>');
    expect(await find(id)).toMatchObject({ name: 'Acme Ltd' });
  });

  it('the entitlements of a company take precedence, and their name stays while their service is down', async () => {
    const id = randomUUID();
    await invite(id, 'Written by an inviter');
    const member = await signedInUser(service);
    await insertMembership(service.sql, { userId: member.id, companyId: id });
    core.set(id, { modules: [], name: 'Entitled GmbH' });
    const access = () =>
      service.api('GET', '/auth/me/access', { token: member.token, headers: { 'x-org': id } });
    expect(await access()).toMatchObject({ status: 200 });
    await waitUntil(async () => (await find(id))?.name === 'Entitled GmbH', { what: 'the learned name' });

    core.fault = { kind: 'status', status: 500 };
    await invite(id, 'Written later');
    expect(await find(id)).toMatchObject({ name: 'Entitled GmbH' });
    core.fault = undefined;
    core.set(id, { modules: [], name: 'Renamed GmbH' });
    expect(await access()).toMatchObject({ status: 200 });
    await waitUntil(async () => (await find(id))?.name === 'Renamed GmbH', { what: 'the new name' });
  });

  it('mails and previews of invitations have the name of the entitlements, whatever the inviter wrote', async () => {
    const id = randomUUID();
    const member = await signedInUser(service);
    await insertMembership(service.sql, { userId: member.id, companyId: id });
    core.set(id, { modules: [], name: 'Entitled GmbH' });
    await service.api('GET', '/auth/me/access', { token: member.token, headers: { 'x-org': id } });
    await waitUntil(async () => (await find(id))?.name === 'Entitled GmbH', { what: 'the learned name' });
    const email = freshEmail();
    await service.api('POST', '/auth/invitations', {
      token: admin.token,
      headers: { 'x-org': id },
      body: { email, metadata: { companyName: 'Typed Ltd' } },
    });
    const mail = await service.mailTo(email);
    expect(`${mail.subject} ${mail.text}`).toContain('Entitled GmbH');
    expect(`${mail.subject} ${mail.text}`).not.toContain('Typed Ltd');
    const preview = await service.api('GET', `/auth/invitations/preview?token=${mail.token}`);
    expect(preview.data).toMatchObject({ companyName: 'Entitled GmbH' });
  });

  it('a name that an erased user wrote gives way to that of another inviter', async () => {
    const superadmin = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
    const inviter = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
    const [shared, own] = [randomUUID(), randomUUID()];
    await invite(shared, 'Of another', admin);
    await invite(shared, 'Jane Doe Consulting', inviter);
    await invite(own, 'Jane Doe Trading', inviter);
    const answer = await service.api('DELETE', `/internal/users/${inviter.id}/personal-data`, {
      token: superadmin.token,
      body: { reason: 'asked for it' },
    });
    expect(answer.status, answer.text).toBe(200);
    expect(await find(shared)).toMatchObject({ name: 'Of another' });
    expect((await find(own))?.name).toBeUndefined();
  });
});

describe('the members of a company', () => {
  it('are found by role, by the start of an email and by a part of a name', async () => {
    const companyId = randomUUID();
    const people = [
      ['ann', 'Ann Öberg', 'ACCOUNTANT'],
      ['ben', 'Ben Percent 50%', 'MEMBER'],
      ['bea', null, 'ACCOUNTANT'],
    ] as const;
    const tag = randomUUID().slice(0, 8);
    for (const [name, fullName, role] of people) {
      const { id } = await signedInUser(service, { email: `${name}-${tag}@example.com` });
      await service.sql('UPDATE users SET full_name = $2 WHERE id = $1', [id, fullName]);
      await insertMembership(service.sql, { userId: id, companyId, role });
    }
    const found = async (query: Record<string, string>) => {
      const search = new URLSearchParams({ ...query, limit: '100000' }).toString();
      const paths = [`?${new URLSearchParams(query).toString()}`, `?${search}`];
      const answers = await Promise.all(
        paths.map((path) =>
          service.api('GET', `/internal/companies/${companyId}/users${path}`, { token: moderator.token }),
        ),
      );
      const [short, long] = answers.map(({ items, headers }) => ({
        names: items.map(({ email }) => email.slice(0, 3)).toSorted(),
        total: headers['x-total-count'],
      }));
      expect(short).toEqual(long);
      expect(short?.total).toBe(String(short?.names.length));
      return short?.names;
    };
    expect(await found({})).toEqual(['ann', 'bea', 'ben']);
    expect(await found({ role: 'ACCOUNTANT' })).toEqual(['ann', 'bea']);
    expect(await found({ search: 'BE' })).toEqual(['ann', 'bea', 'ben']);
    expect(await found({ search: 'öberg' })).toEqual(['ann']);
    expect(await found({ search: 'percent 50%' })).toEqual(['ben']);
    expect(await found({ search: 'b', role: 'ACCOUNTANT' })).toEqual(['ann', 'bea']);
    expect(await found({ search: '%' })).toEqual(['ben']);
    expect(await found({ role: 'UNUSED' })).toEqual([]);
  });
});
