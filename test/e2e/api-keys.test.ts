import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CoreService } from '../../examples/core-service/core-service.js';
import { ApiKeyRepository } from '../../packages/core/src/api-key-records/api-key-repository.js';
import { newApiKeyText } from '../../packages/core/src/api-key-records/api-key-text.js';
import { Database } from '../../packages/core/src/storage/database.js';
import { mintActing } from '../support/acting.js';
import { ApiKeyClient, madeKeyOf } from '../support/api-key-client.js';
import { EmailChangeClient } from '../support/email-change-client.js';
import { enrolFactor } from '../support/enrolled-user.js';
import { signedInUser } from '../support/minted-token.js';
import { ResetClient } from '../support/reset-client.js';
import { INTERNAL_KEY, serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { TestCompany } from '../support/test-company.js';
import { insertMembership } from '../support/test-memberships.js';
import { waitUntil } from '../support/wait-until.js';

const OK = { status: 200, data: { status: 'ok' } };
const INVALID = { status: 401, code: 'unauthorized' };
const DEMANDING = randomUUID();
const CORE_KEY = 'key-of-the-core-service';
const MODULES = ['billing', 'stock', 'time'];

let core: CoreService;
let service: TestService;
let keys: ApiKeyClient;
beforeAll(async () => {
  core = await CoreService.start({ apiKey: CORE_KEY });
  core.set(DEMANDING, { modules: MODULES, requireSecondFactor: true });
  service = await startTestService({ env: { CORE_BASE_URL: core.url, CORE_INTERNAL_API_KEY: CORE_KEY } });
  keys = new ApiKeyClient(service);
});
afterAll(async () => {
  await service.stop();
  await core.stop();
});

/** A company with all modules. */
function company(): string {
  const id = randomUUID();
  core.set(id, { modules: MODULES, permissions: ['invoices:read', 'invoices:write'] });
  return id;
}

/** A member of a company with two modules and a permission, signed in by password. */
async function member(role = 'MEMBER') {
  const user = await service.signedIn();
  const companyId = company();
  const membershipId = await insertMembership(service.sql, {
    userId: user.id,
    companyId,
    role,
    moduleGrants: ['billing', 'stock'],
    permissionGrants: ['invoices:read'],
  });
  return { ...user, companyId, membershipId };
}

const problem = async (method: string, path: string, token: string, companyId?: string) => {
  const answer = await service.client.send(method, path, {
    token,
    headers: { accept: 'application/problem+json', ...(companyId !== undefined && { 'x-org': companyId }) },
  });
  return { status: answer.status, reason: (answer.body as { reason?: string }).reason };
};

describe('a personal API key', () => {
  it('a key is shown once, and only its digest and its end are stored', async () => {
    const { id: userId, accessToken } = await service.signedIn();
    const answer = await keys.create(accessToken, { name: '  Nightly export ' });
    const { id, key } = madeKeyOf(answer);
    expect(key).toMatch(/^lkk_[0-9A-Za-z]{49}$/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.data.apiKey).toMatchObject({
      kind: 'PERSONAL',
      name: 'Nightly export',
      hint: key.slice(-4),
      userId,
    });
    const list = await service.api('GET', '/auth/api-keys', { token: accessToken });
    expect(list.items).toMatchObject([{ id, hint: key.slice(-4) }]);
    expect(list.text).not.toContain(key);
    const rows = JSON.stringify(await service.sql('SELECT * FROM api_keys WHERE id = $1', [id]));
    expect(rows).not.toContain(key);
    const days = (Date.parse(String(list.items[0]?.expiresAt)) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(89.9);
    expect(days).toBeLessThan(90.1);
  });

  it('a key opens the profile of its owner, without roles, and says whose it is', async () => {
    const user = await member('ADMIN');
    await service.sql(`UPDATE users SET global_role = 'PLATFORM_ADMIN' WHERE id = $1`, [user.id]);
    const { accessToken } = await service.signIn(user);
    const { id, key } = await keys.made(accessToken, { companyId: user.companyId });
    const me = await keys.with(key, 'GET', '/auth/me');
    expect(me).toMatchObject({
      status: 200,
      data: {
        id: user.id,
        email: user.email,
        sessionId: id,
        globalRole: 'NONE',
        roles: [],
        companyMemberships: [],
      },
    });
    const presented = await keys.with(key, 'GET', '/auth/api-key');
    expect(presented).toMatchObject({
      status: 200,
      data: { id, kind: 'PERSONAL', companyId: user.companyId, userId: user.id },
    });
    expect(presented.data.access).toMatchObject({
      modules: ['billing', 'stock'],
      permissions: ['invoices:read'],
      delegation: { canManageUsers: false, grantableModules: [] },
      metadata: { role: null, globalRole: 'NONE' },
    });
  });

  it('the rights of a key are those of its owner at each use, cut by its lists', async () => {
    const { accessToken, companyId, membershipId } = await member();
    const whole = await keys.made(accessToken, { companyId });
    const cut = await keys.made(accessToken, { companyId, modules: ['stock', 'time'], permissions: [] });
    const accessOf = async (key: string) => {
      const { data } = await keys.with(key, 'GET', '/auth/me/access');
      return [data.modules, data.permissions];
    };
    expect(await accessOf(whole.key)).toEqual([['billing', 'stock'], ['invoices:read']]);
    expect(await accessOf(cut.key)).toEqual([['stock'], []]);
    await service.sql(
      `DELETE FROM membership_module_grants WHERE membership_id = $1 AND module_key = 'stock'`,
      [membershipId],
    );
    expect(await accessOf(whole.key)).toEqual([['billing'], ['invoices:read']]);
    expect(await accessOf(cut.key)).toEqual([[], []]);
    const session = await service.api('GET', '/auth/me/access', {
      token: accessToken,
      headers: { 'x-org': companyId },
    });
    expect(session.data.modules).toEqual(['billing']);
  });

  it('a list that is empty gives nothing, also where members without grants are not restricted', async () => {
    const user = await service.signedIn();
    const companyId = company();
    await insertMembership(service.sql, { userId: user.id, companyId });
    const { key } = await keys.made(user.accessToken, { companyId });
    const { key: none } = await keys.made(user.accessToken, { companyId, modules: [] });
    expect((await keys.with(key, 'GET', '/auth/me/access')).data.modules).toEqual(MODULES);
    expect((await keys.with(none, 'GET', '/auth/me/access')).data.modules).toEqual([]);
  });

  it('a platform role gives a key nothing in companies', async () => {
    const user = await service.signedIn({ role: 'PLATFORM_SUPERADMIN' });
    const answer = await service.client.send('POST', '/auth/api-keys', {
      token: user.accessToken,
      body: { name: 'Staff', companyId: randomUUID() },
      headers: { accept: 'application/problem+json' },
    });
    expect(answer).toMatchObject({ status: 403, body: { reason: 'not_a_member' } });
  });

  it('a key works in its own company only, and one without a company in none', async () => {
    const user = await member();
    const other = company();
    await insertMembership(service.sql, { userId: user.id, companyId: other });
    const { key } = await keys.made(user.accessToken, { companyId: user.companyId });
    expect((await keys.with(key, 'GET', '/auth/me/access', user.companyId)).status).toBe(200);
    const refused = { status: 403, reason: 'api_key_of_other_company' };
    expect(await problem('GET', '/auth/me/access', key, other)).toEqual(refused);
    const { key: ofNone } = await keys.made(user.accessToken);
    expect(await problem('GET', '/auth/me/access', ofNone, user.companyId)).toEqual(refused);
    expect((await problem('GET', '/auth/me/access', ofNone)).status).toBe(400);
    expect((await keys.with(ofNone, 'GET', '/auth/api-key')).data.access).toBeUndefined();
  });

  it('all other routes refuse a key', async () => {
    const { accessToken } = await service.signedIn();
    const { id, key } = await keys.made(accessToken);
    const refused = { status: 403, reason: 'not_with_api_key' };
    for (const [method, path] of [
      ['PATCH', '/auth/me'],
      ['GET', '/auth/me/export'],
      ['GET', '/auth/sessions'],
      ['POST', '/auth/logout-all'],
      ['POST', '/auth/api-keys'],
      ['GET', '/auth/api-keys'],
      ['DELETE', `/auth/api-keys/${id}`],
      ['POST', '/auth/api-keys/revoke-all'],
      ['GET', '/internal/users'],
      ['GET', '/internal/admin/users'],
      ['GET', '/internal/revocations'],
    ] as const) {
      expect(await problem(method, path, key), `${method} ${path}`).toEqual(refused);
    }
  });

  it('a key is accepted as Bearer token only, and as the only credential', async () => {
    const { accessToken } = await service.signedIn();
    const { key } = await keys.made(accessToken);
    expect((await service.api('GET', `/auth/me?access_token=${key}`)).status).toBe(401);
    expect(
      (await service.api('GET', '/auth/me', { headers: { cookie: `__Host-lk_access=${key}` } })).status,
    ).toBe(401);
    const asInternalKey = { headers: { 'x-internal-api-key': key } };
    expect((await service.api('GET', '/internal/admin/users', asInternalKey)).status).toBe(403);
    for (const headers of [{ 'x-internal-api-key': INTERNAL_KEY }, { 'x-service-token': 'x' }]) {
      for (const path of ['/auth/me', '/internal/admin/users']) {
        const answer = await service.api('GET', path, { token: key, headers });
        expect(answer, answer.text).toMatchObject({ status: 400, code: 'validation_error' });
      }
    }
  });

  it('a rotated key keeps its id, and the former text works for the overlap alone', async () => {
    const { accessToken: token } = await service.signedIn();
    const { id, key } = await keys.made(token);
    const rotated = madeKeyOf(await service.api('POST', `/auth/api-keys/${id}/rotate`, { token }));
    expect([rotated.id, await keys.status(key), await keys.status(rotated.key)]).toEqual([id, 401, 200]);
    const path = `/auth/api-keys/${id}/rotate`;
    const again = madeKeyOf(await service.api('POST', path, { token, body: { overlap: 3600 } }));
    expect([await keys.status(rotated.key), await keys.status(again.key)]).toEqual([200, 200]);
    await service.sql(`UPDATE api_keys SET former_until = now() - interval '1 second' WHERE id = $1`, [id]);
    expect([await keys.status(rotated.key), await keys.status(again.key)]).toEqual([401, 200]);
  });

  it('durations are whole seconds or texts such as 1h, within their range', async () => {
    const { accessToken: token } = await service.signedIn();
    const { id, key } = await keys.made(token, { expiresIn: '2h' });
    const described = await service.api('GET', '/auth/api-key', { token: key });
    const lifetime = Date.parse(String(described.data.expiresAt)) - Date.now();
    expect(lifetime / 3_600_000).toBeGreaterThan(1.9);
    expect(lifetime / 3_600_000).toBeLessThanOrEqual(2);
    const path = `/auth/api-keys/${id}/rotate`;
    expect((await service.api('POST', path, { token, body: { overlap: '1h' } })).status).toBe(200);
    expect(await keys.status(key)).toBe(200);
    for (const overlap of [86_401, '25h', '2d', -1, 1.5, '1w', '', '-1h', null]) {
      const answer = await service.api('POST', path, { token, body: { overlap } });
      expect(answer, String(overlap)).toMatchObject({ status: 400, code: 'validation_error' });
      expect(answer.message).toMatch(/^overlap: must be/);
    }
  });

  it('a key can be renamed and revoked by its owner alone, and each change is a row of the audit log', async () => {
    const [owner, other] = [await service.signedIn(), await service.signedIn()];
    const { id, key } = await keys.made(owner.accessToken);
    const path = `/auth/api-keys/${id}`;
    const foreign = { status: 404, code: 'not_found' };
    expect(await service.api('DELETE', path, { token: other.accessToken })).toMatchObject(foreign);
    const body = { name: 'Backup' };
    expect(await service.api('PATCH', path, { token: other.accessToken, body })).toMatchObject(foreign);
    const rotation = await service.api('POST', `${path}/rotate`, { token: other.accessToken });
    expect(rotation).toMatchObject(foreign);
    const renamed = await service.api('PATCH', path, { token: owner.accessToken, body });
    expect(renamed).toMatchObject({ status: 200, data: { name: 'Backup' } });
    expect(await keys.status(key)).toBe(200);
    expect(await service.api('DELETE', path, { token: owner.accessToken })).toMatchObject(OK);
    expect(await keys.with(key, 'GET', '/auth/me')).toMatchObject(INVALID);
    expect(await service.api('DELETE', path, { token: owner.accessToken })).toMatchObject(foreign);
    expect(await keys.audit(id)).toEqual([
      ['api_key_created', null],
      ['api_key_renamed', null],
      ['api_key_revoked', 'revoked'],
    ]);
  });

  it('an expired key is refused, by the clock of the database', async () => {
    const { accessToken } = await service.signedIn();
    const { id, key } = await keys.made(accessToken, { expiresIn: 60 });
    expect(await keys.status(key)).toBe(200);
    await service.sql(`UPDATE api_keys SET expires_at = now() WHERE id = $1`, [id]);
    expect(await keys.with(key, 'GET', '/auth/me')).toMatchObject(INVALID);
    expect((await service.api('GET', '/auth/api-keys', { token: accessToken })).items).toEqual([]);
  });

  it('lifetimes end at the maximum', async () => {
    const { accessToken } = await service.signedIn();
    expect((await keys.create(accessToken, { expiresIn: 365 * 86_400 })).status).toBe(201);
    for (const expiresIn of [365 * 86_400 + 1, null, 0, 59]) {
      const answer = await keys.create(accessToken, { expiresIn });
      expect(answer, String(expiresIn)).toMatchObject({ status: 400, code: 'validation_error' });
    }
  });

  it('the last use is recorded, at most once a minute', async () => {
    const { accessToken: token } = await service.signedIn();
    const { id, key } = await keys.made(token);
    await keys.status(key);
    const used = await waitUntil(
      async () => {
        const [listed] = (await service.api('GET', '/auth/api-keys', { token })).items;
        return listed?.lastUsedAt === undefined ? undefined : listed;
      },
      { what: 'the last use' },
    );
    expect(used).toMatchObject({ id, lastUsedIp: '127.0.0.1' });
  });
});

describe('making a key', () => {
  it('requires a sign-in of the last 15 minutes, and a recent second factor of users who have one', async () => {
    const user = await signedInUser(service);
    expect(await keys.create(user.token)).toMatchObject({ status: 401, code: 'reauthentication_required' });
    const enrolled = await service.signedIn();
    await enrolFactor(service.sql, enrolled.id);
    expect(await keys.create(enrolled.accessToken)).toMatchObject({
      status: 401,
      code: 'reauthentication_required',
    });
  });

  it('is refused while an actor acts for the user, and so is revoking', async () => {
    const user = await service.signedIn();
    const { id } = await keys.made(user.accessToken);
    const { token } = await mintActing(service, user.id);
    const refused = { status: 403, reason: 'not_while_acting' };
    expect(await problem('DELETE', `/auth/api-keys/${id}`, token)).toEqual(refused);
    expect(await problem('POST', '/auth/api-keys/revoke-all', token)).toEqual(refused);
    expect(await problem('POST', `/auth/api-keys/${id}/rotate`, token)).toEqual(refused);
  });

  it('is limited to 20 an hour and 50 keys', async () => {
    const { id, accessToken } = await service.signedIn();
    const made = await Promise.all(Array.from({ length: 22 }, () => keys.create(accessToken)));
    const statuses = made.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 429, 429]);
    await service.sql(`UPDATE api_keys SET created_at = now() - interval '2 hours' WHERE user_id = $1`, [id]);
    await service.sql(
      `INSERT INTO api_keys (id, kind, user_id, name, digest, hint)
       SELECT gen_random_uuid(), 'PERSONAL', $1, 'Old', sha256(n::text::bytea), 'abcd' FROM generate_series(1, 29) n`,
      [id],
    );
    const last = await Promise.all(Array.from({ length: 3 }, () => keys.create(accessToken)));
    expect(last.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  });

  it('in a company that requires a second factor requires one', async () => {
    const user = await service.signedIn();
    await insertMembership(service.sql, { userId: user.id, companyId: DEMANDING });
    const refused = await keys.create(user.accessToken, { companyId: DEMANDING });
    expect(refused).toMatchObject({ status: 403, code: 'second_factor_required' });
    // Made before the company required it.
    const { id, key } = await keys.made(user.accessToken);
    await service.sql('UPDATE api_keys SET company_id = $2 WHERE id = $1', [id, DEMANDING]);
    const access = await keys.with(key, 'GET', '/auth/me/access');
    expect(access).toMatchObject({ status: 403, code: 'second_factor_required' });
    await service.sql(`UPDATE api_keys SET created_acr = 'aal2' WHERE id = $1`, [id]);
    expect((await keys.with(key, 'GET', '/auth/me/access')).status).toBe(200);
    // A session with one factor rotates it to a key of one factor.
    const rotated = await service.api('POST', `/auth/api-keys/${id}/rotate`, {
      token: user.accessToken,
      body: {},
    });
    expect(rotated.status).toBe(200);
    const again = await keys.with(String(rotated.data.key), 'GET', '/auth/me/access');
    expect(again).toMatchObject({ status: 403, code: 'second_factor_required' });
  });

  it('notifies the user by mail', async () => {
    const { email, accessToken } = await service.signedIn();
    await keys.made(accessToken);
    const { text } = await service.mailTo(email);
    expect(text).toContain('The API key "Nightly export" was made for your');
    expect(text).not.toMatch(/lkk_|https?:/);
  });
});

describe('a key that expires', () => {
  it('is announced seven days before, once', async () => {
    const { email, accessToken } = await service.signedIn();
    const { id, key } = await keys.made(accessToken);
    await service.sql(`UPDATE api_keys SET expires_at = now() + interval '6 days' WHERE id = $1`, [id]);
    const database = new Database({ url: service.databaseUrl, poolMax: 1, preparedStatements: true });
    onTestFinished(() => database.close());
    const repository = new ApiKeyRepository(database);
    expect(await repository.noticeExpiring(10, true)).toBeGreaterThan(0);
    expect(await repository.noticeExpiring(10, true)).toBe(0);
    const mails = await service.sql(
      `SELECT payload FROM mail_outbox WHERE kind = 'api_key_expiring' AND recipient = $1`,
      [email],
    );
    expect(mails).toMatchObject([{ payload: { keyName: 'Nightly export', keyHint: key.slice(-4) } }]);
  });
});

describe('personal keys end', () => {
  const operator = { kind: 'operator', name: 'tests' } as const;
  type Owner = Awaited<ReturnType<typeof member>>;
  const ends: [string, string, (owner: Owner) => Promise<unknown>][] = [
    [
      'membership_ended',
      'with the membership of their company',
      ({ id: userId, companyId }) =>
        service.auth.memberships.upsertCompany(operator, companyId, { userId, isActive: false }),
    ],
    [
      'deactivated',
      'with a deactivation',
      ({ id }) => service.auth.admin.users.patch(operator, id, { isActive: false }),
    ],
    [
      'approval_withdrawn',
      'with a withdrawn approval',
      ({ id }) => service.auth.admin.users.patch(operator, id, { approvalStatus: 'REJECTED' }),
    ],
    [
      'password_reset',
      'with a reset by mail',
      async ({ email }) => {
        const resets = new ResetClient(service);
        const answer = await resets.request(email);
        expect(answer.status).toBe(200);
        const mail = await waitUntil(
          () => service.mailsTo(email).find(({ link }) => link.includes('reset')),
          {
            what: 'the link',
          },
        );
        expect(await resets.confirm(mail.token)).toMatchObject(OK);
      },
    ],
    [
      'email_change_undone',
      'with an undone change of address',
      async (owner) => {
        const changes = new EmailChangeClient(service);
        const { undo } = await changes.changed(owner);
        // The change itself ends no key.
        expect(await keys.audit(lastId)).toEqual([['api_key_created', null]]);
        expect(await changes.undo(undo)).toMatchObject(OK);
      },
    ],
    [
      'membership_ended',
      'with leaving',
      ({ accessToken, companyId }) =>
        service.api('DELETE', `/auth/me/memberships/${companyId}`, { token: accessToken }),
    ],
    [
      'mailbox_proved',
      'when the owner of the mailbox signs in in an own way of the app',
      async ({ id: userId }) => {
        await service.sql('UPDATE users SET email_verified_at = NULL WHERE id = $1', [userId]);
        const proof = { method: 'mailed link', amr: ['otp'] as const, provesMailbox: true };
        await service.auth.signIn.begin({ userId, ...proof });
      },
    ],
    [
      'password_set',
      'when an operator sets a password and removes the passkeys',
      ({ id }) =>
        service.auth.admin.passwords.set(operator, id, {
          password: 'a long walk home again',
          removePasskeys: true,
        }),
    ],
    [
      'factors_reset',
      'when staff reset the factors',
      ({ id }) => service.auth.admin.factors.reset(operator, id, 'Lost phone'),
    ],
  ];
  let lastId = '';

  it.each(ends)('for the reason %s %s, in the same transaction', async (reason, _when, end) => {
    const owner = await member();
    const { id, key } = await keys.made(owner.accessToken, { companyId: owner.companyId });
    lastId = id;
    await end(owner);
    expect(await keys.with(key, 'GET', '/auth/api-key')).toMatchObject(INVALID);
    expect(await keys.audit(id)).toEqual([
      ['api_key_created', null],
      ['api_key_revoked', reason],
    ]);
    const [feed] = await service.sql('SELECT api_key_event FROM revocations WHERE session_id = $1', [id]);
    expect(feed).toEqual({ api_key_event: 'revoked' });
  });

  it('joining a company again revives no key', async () => {
    const { id: userId, companyId, accessToken } = await member();
    const { key } = await keys.made(accessToken, { companyId });
    const { key: ofNone } = await keys.made(accessToken);
    const { memberships } = service.auth;
    await memberships.upsertCompany(operator, companyId, { userId, isActive: false });
    await memberships.upsertCompany(operator, companyId, { userId, isActive: true });
    expect([await keys.status(key), await keys.status(ofNone)]).toEqual([401, 200]);
  });

  it('with an erasure, which removes their rows', async () => {
    const { id, accessToken } = await service.signedIn();
    const made = await keys.made(accessToken);
    await service.auth.admin.erasure.erase(operator, id, 'Requested');
    expect(await keys.status(made.key)).toBe(401);
    expect(await service.sql('SELECT 1 FROM api_keys WHERE id = $1', [made.id])).toEqual([]);
    expect(
      await service.sql('SELECT api_key_event FROM revocations WHERE session_id = $1', [made.id]),
    ).toEqual([{ api_key_event: 'revoked' }]);
  });

  it('a sign-out everywhere and a change of the password leave keys, and revoke-all ends them', async () => {
    const user = await service.signedIn();
    const { key } = await keys.made(user.accessToken);
    const { key: second } = await keys.made(user.accessToken);
    const body = { currentPassword: user.password, newPassword: 'another horse, another battery' };
    const changed = await service.api('POST', '/auth/password/change', { token: user.accessToken, body });
    expect(changed.status, changed.text).toBe(200);
    expect((await service.api('POST', '/auth/logout-all', { token: user.accessToken })).status).toBe(200);
    expect([await keys.status(key), await keys.status(second)]).toEqual([200, 200]);
    const { accessToken: token } = await service.signIn({ email: user.email, password: body.newPassword });
    const all = await service.api('POST', '/auth/api-keys/revoke-all', { token });
    expect(all).toMatchObject({ status: 200, data: { revoked: 2 } });
    expect([await keys.status(key), await keys.status(second)]).toEqual([401, 401]);
  });
});

describe('wrong keys', () => {
  it('are counted by address, 60 a minute, with one row a minute; revoked keys are not', async () => {
    const own = await serviceForThisTest();
    const ownKeys = new ApiKeyClient(own);
    const { accessToken: token } = await own.signedIn();
    const { id, key } = await ownKeys.made(token);
    await own.api('DELETE', `/auth/api-keys/${id}`, { token });
    for (let round = 0; round < 61; round += 1) expect(await ownKeys.status(key)).toBe(401);
    const wrong = [newApiKeyText(), `${newApiKeyText().slice(0, -1)}!`.replace('!', '-'), 'lkk_short'];
    const statuses = [];
    for (let round = 0; round < 61; round += 1) statuses.push(await ownKeys.status(wrong[round % 3] ?? ''));
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 401), 429]);
    const rows = await own.sql(`SELECT details FROM auth_audit_logs WHERE event = 'api_key_denied'`);
    expect(rows.length).toBeLessThanOrEqual(2);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain('lkk_');
  });

  it('a wrong checksum is refused without a query', async () => {
    const { authenticator } = service.auth.apiKeys;
    const key = newApiKeyText();
    const last = key.endsWith('0') ? '1' : '0';
    const log = service.log().length;
    const authenticated = authenticator.authenticate(`${key.slice(0, -1)}${last}`);
    await expect(authenticated).rejects.toMatchObject({ reason: 'api_key_invalid' });
    expect(service.log().slice(log)).not.toContain('api_key_check');
  });
});

describe('API_KEYS', () => {
  it('while it is off, the routes respond with 404, keys with 401, and nothing is deleted', async () => {
    const { id, accessToken, ...user } = await service.signedIn();
    const { key } = await keys.made(accessToken);
    const off = await serviceForThisTest({ env: { API_KEYS: 'off' }, databaseUrl: service.databaseUrl });
    const { accessToken: token } = await off.signIn(user);
    for (const [method, path] of [
      ['GET', '/auth/api-keys'],
      ['POST', '/auth/api-keys'],
      ['GET', '/auth/api-key'],
      ['POST', '/auth/api-keys/exchange'],
      ['GET', `/internal/companies/${id}/api-keys`],
    ] as const) {
      expect((await off.api(method, path, { token })).status, path).toBe(404);
    }
    expect(await off.api('GET', '/auth/me', { token: key })).toMatchObject(INVALID);
    expect((await keys.with(key, 'GET', '/auth/me')).status).toBe(200);
  });

  it('only the kinds that it names work', async () => {
    const user = await member('ADMIN');
    const { key } = await keys.made(user.accessToken);
    const company = new TestCompany(service);
    const made = await service.machine('POST', `/internal/admin/companies/${company.id}/api-keys`, {
      body: { name: 'ERP', modules: [], permissions: [] },
    });
    const { key: ofCompany } = madeKeyOf(made);
    const { databaseUrl } = service;
    const personal = await serviceForThisTest({ env: { API_KEYS: 'personal' }, databaseUrl });
    expect((await personal.api('GET', '/auth/api-key', { token: key })).status).toBe(200);
    expect((await personal.api('GET', '/auth/api-key', { token: ofCompany })).status).toBe(401);
    const companies = await serviceForThisTest({ env: { API_KEYS: 'company' }, databaseUrl });
    expect((await companies.api('GET', '/auth/api-key', { token: key })).status).toBe(401);
    expect((await companies.api('GET', '/auth/api-keys', { token: user.accessToken })).status).toBe(404);
  });

  it('keys without an end need a maximum of none', async () => {
    const own = await serviceForThisTest({ env: { API_KEY_MAX_LIFETIME: 'none' } });
    const { accessToken } = await own.signedIn();
    const answer = await new ApiKeyClient(own).create(accessToken, { expiresIn: null });
    expect(answer.status, answer.text).toBe(201);
    expect((answer.data.apiKey as { expiresAt?: string }).expiresAt).toBeUndefined();
  });
});
