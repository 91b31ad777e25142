import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GLOBAL_ROLES, type GlobalRole } from '@latchkey/core';
import type { Answer } from '../support/api-client.js';
import { mintTokens, signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { overtaken } from '../support/overtaken.js';
import { startTestService, type TestService } from '../support/service.js';
import { insertPasskey } from '../support/test-passkeys.js';
import type { TestUser } from '../support/test-users.js';

type Refusal = readonly [status: number, code: string];

const FORBIDDEN: Refusal = [403, 'forbidden'];
const SA = 'PLATFORM_SUPERADMIN';
const PA = 'PLATFORM_ADMIN';
const PM = 'PLATFORM_MODERATOR';
const EVERYBODY = GLOBAL_ROLES;
const BELOW_ADMIN: readonly GlobalRole[] = ['NONE', PM];

let service: TestService;
const actors = {} as Record<GlobalRole, SignedInTestUser>;

beforeAll(async () => {
  service = await startTestService();
  for (const role of GLOBAL_ROLES) actors[role] = await signedInUser(service, { role });
});

afterAll(() => service.stop());

interface Action {
  name: string;
  /** The roles that each role reaches; a missing role reaches none. */
  reach: Partial<Record<GlobalRole, readonly GlobalRole[]>>;
  /** Status and code of every other attempt. Defaults to 403. */
  refusals?: readonly Refusal[];
  /** Brings a new user of that role into the state that the action needs. */
  target: (role: GlobalRole) => Promise<TestUser>;
  act: (token: string, target: TestUser) => Promise<Answer>;
}

const patch = (body: object) => (token: string, target: TestUser) =>
  service.api('PATCH', `/internal/users/${target.id}`, { token, body });
const call =
  (method: string, suffix = '') =>
  (token: string, target: TestUser) =>
    service.api(method, `/internal/users/${target.id}${suffix}`, { token });

const active = (role: GlobalRole) => service.createUser({ role });
const pending = (role: GlobalRole) => service.createUser({ role, approval: 'PENDING' });
const inactive = (role: GlobalRole) => service.createUser({ role, active: false });
const unproved = (role: GlobalRole) => service.createUser({ role, emailVerified: false });

async function withPasskey(role: GlobalRole): Promise<TestUser> {
  const user = await active(role);
  await insertPasskey(service.sql, user.id);
  return user;
}

const READERS = { [SA]: EVERYBODY, [PA]: EVERYBODY, [PM]: EVERYBODY };
const APPROVERS = { [SA]: EVERYBODY, [PA]: BELOW_ADMIN, [PM]: ['NONE'] as const };
const ADMINS = { [SA]: EVERYBODY, [PA]: BELOW_ADMIN };
const SUPERADMINS = { [SA]: EVERYBODY };

const ACTIONS: Action[] = [
  { name: 'read', reach: READERS, target: active, act: call('GET') },
  { name: 'read the context of', reach: READERS, target: active, act: call('GET', '/context') },
  {
    name: 'approve',
    reach: APPROVERS,
    target: pending,
    act: patch({ approvalStatus: 'APPROVED', isActive: true }),
  },
  { name: 'reject', reach: APPROVERS, target: pending, act: patch({ approvalStatus: 'REJECTED' }) },
  { name: 'activate', reach: APPROVERS, target: pending, act: patch({ isActive: true }) },
  { name: 'reactivate', reach: ADMINS, target: inactive, act: patch({ isActive: true }) },
  {
    name: 'withdraw the approval of',
    reach: ADMINS,
    target: active,
    act: patch({ approvalStatus: 'REJECTED' }),
  },
  { name: 'rename', reach: ADMINS, target: active, act: patch({ fullName: 'Grace' }) },
  { name: 'deactivate', reach: ADMINS, target: active, act: patch({ isActive: false }) },
  { name: 'delete', reach: ADMINS, target: active, act: call('DELETE') },
  { name: 'revoke all sessions of', reach: ADMINS, target: active, act: call('POST', '/revoke-all') },
  { name: 'revoke a session of', reach: ADMINS, target: active, act: revokeSession },
  { name: 'list the sessions of', reach: READERS, target: active, act: call('GET', '/sessions') },
  { name: 'list the passkeys of', reach: READERS, target: active, act: call('GET', '/passkeys') },
  { name: 'list the API keys of', reach: READERS, target: active, act: call('GET', '/api-keys') },
  { name: 'revoke an API key of', reach: ADMINS, target: active, act: revokeApiKey },
  { name: 'list the factors of', reach: READERS, target: active, act: call('GET', '/factors') },
  { name: 'send the reset mail to', reach: ADMINS, target: active, act: call('POST', '/password-reset') },
  {
    name: 'send the verification mail to',
    // The link has no effect on staff.
    reach: { [SA]: ['NONE'], [PA]: ['NONE'] },
    refusals: [FORBIDDEN, [409, 'conflict']],
    target: unproved,
    act: call('POST', '/email-verification'),
  },
  { name: 'remove a passkey of', reach: SUPERADMINS, target: withPasskey, act: removePasskey },
  { name: 'promote', reach: SUPERADMINS, target: active, act: patch({ globalRole: SA }) },
  { name: 'demote', reach: SUPERADMINS, target: active, act: patch({ globalRole: 'NONE' }) },
  {
    name: 'approve and rename',
    reach: ADMINS,
    target: pending,
    act: patch({ approvalStatus: 'APPROVED', isActive: true, fullName: 'Grace' }),
  },
];

async function revokeSession(token: string, target: TestUser): Promise<Answer> {
  await mintTokens(service, target.id);
  const [session] = await service.sql('SELECT id FROM sessions WHERE user_id = $1', [target.id]);
  return service.api('POST', `/internal/sessions/${String(session?.id)}/revoke`, { token });
}

async function revokeApiKey(token: string, target: TestUser): Promise<Answer> {
  const id = randomUUID();
  await service.sql(
    `INSERT INTO api_keys (id, kind, user_id, name, digest, hint) VALUES ($1, 'PERSONAL', $2, 'ERP', sha256($3::bytea), 'abcd')`,
    [id, target.id, Buffer.from(id)],
  );
  return call('DELETE', `/api-keys/${id}`)(token, target);
}

async function removePasskey(token: string, target: TestUser): Promise<Answer> {
  const [passkey] = await service.sql('SELECT id FROM passkey_credentials WHERE user_id = $1', [target.id]);
  return call('DELETE', `/passkeys/${String(passkey?.id)}`)(token, target);
}

/** Returns the rows that an action could have written. */
const stateOf = ({ id }: TestUser) =>
  service.sql(
    `SELECT u.full_name, u.global_role, u.approval_status, u.is_active, u.token_version,
       (SELECT count(*)::int FROM sessions s WHERE s.user_id = u.id AND s.is_revoked) AS revoked,
       (SELECT count(*)::int FROM api_keys k WHERE k.user_id = u.id AND k.revoked_at IS NOT NULL) AS keys,
       (SELECT count(*)::int FROM mail_outbox m WHERE m.user_id = u.id) AS mails,
       (SELECT count(*)::int FROM passkey_credentials p WHERE p.user_id = u.id) AS passkeys
     FROM users u WHERE id = $1`,
    [id],
  );

describe.each(ACTIONS)('an attempt to $name', ({ reach, refusals = [FORBIDDEN], target: prepare, act }) => {
  it.each(GLOBAL_ROLES)('%s can act on exactly the users of the role table', async (role) => {
    const reached: GlobalRole[] = [];
    for (const targetRole of GLOBAL_ROLES) {
      const target = await prepare(targetRole);
      const before = await stateOf(target);
      const answer = await act(actors[role].token, target);
      if (answer.status === 200) reached.push(targetRole);
      else {
        expect(refusals).toContainEqual([answer.status, answer.code]);
        expect(await stateOf(target), 'a refusal changes nothing').toEqual(before);
      }
    }
    expect(reached).toEqual(reach[role] ?? []);
  });
});

/** Patches of approval and activity; the roles that may send them depend on the state of the user. */
const PATCHES = {
  approving: { approvalStatus: 'APPROVED' },
  'approving and activating': { approvalStatus: 'APPROVED', isActive: true },
  'approving and deactivating': { approvalStatus: 'APPROVED', isActive: false },
  rejecting: { approvalStatus: 'REJECTED' },
  'rejecting and activating': { approvalStatus: 'REJECTED', isActive: true },
  'putting back to pending': { approvalStatus: 'PENDING' },
  activating: { isActive: true },
  deactivating: { isActive: false },
} as const;
type PatchName = keyof typeof PATCHES;

const ANY_STAFF = [SA, PA, PM];
const ADMINS_ONLY = [SA, PA];

/** Before an approval only a deactivation needs a greater role than approving. */
const UNAPPROVED = { 'approving and deactivating': ADMINS_ONLY, deactivating: ADMINS_ONLY };
/** After an approval every patch that shuts the user out does. */
const APPROVED = {
  ...UNAPPROVED,
  rejecting: ADMINS_ONLY,
  'rejecting and activating': ADMINS_ONLY,
  'putting back to pending': ADMINS_ONLY,
};
/** And every patch that lets a deactivated user in again. */
const DEACTIVATED = { ...APPROVED, 'approving and activating': ADMINS_ONLY, activating: ADMINS_ONLY };

const STATES: {
  approval: 'PENDING' | 'APPROVED' | 'REJECTED';
  active: boolean;
  /** Roles that may send a patch; any staff unless named. */
  may: Partial<Record<PatchName, string[]>>;
}[] = [
  { approval: 'PENDING', active: false, may: UNAPPROVED },
  { approval: 'PENDING', active: true, may: UNAPPROVED },
  { approval: 'REJECTED', active: false, may: UNAPPROVED },
  { approval: 'REJECTED', active: true, may: UNAPPROVED },
  { approval: 'APPROVED', active: true, may: APPROVED },
  { approval: 'APPROVED', active: false, may: DEACTIVATED },
];

describe.each(STATES)(
  'a patch of a user who is $approval and active: $active',
  ({ approval, active, may }) => {
    it.each(Object.keys(PATCHES) as PatchName[])('%s is for exactly the roles of the table', async (name) => {
      const allowed: GlobalRole[] = [];
      for (const role of GLOBAL_ROLES) {
        const target = await service.createUser({ approval, active });
        const before = await stateOf(target);
        const answer = await patch(PATCHES[name])(actors[role].token, target);
        if (answer.status === 200) allowed.push(role);
        else {
          expect([answer.status, answer.code]).toEqual([403, 'forbidden']);
          expect(await stateOf(target), 'a refusal changes nothing').toEqual(before);
        }
      }
      expect(allowed.toSorted()).toEqual((may[name] ?? ANY_STAFF).toSorted());
    });
  },
);

it.each([true, false])(
  'a moderator cannot change an approved user in several steps either, active: %s',
  async (active) => {
    const target = await service.createUser({ active });
    const before = await stateOf(target);
    for (const body of [PATCHES['putting back to pending'], PATCHES.rejecting, PATCHES.deactivating]) {
      await patch(body)(actors[PM].token, target);
      await patch({ isActive: !active })(actors[PM].token, target);
    }
    expect(await stateOf(target)).toEqual(before);
  },
);

it('the state of the user at the time of the change decides, not the one at the time of the request', async () => {
  const target = await pending('NONE');
  const change = `UPDATE users SET approval_status = 'APPROVED', is_active = false WHERE id = $1`;
  const answer = await overtaken(service, { userId: target.id, change }, () =>
    patch({ approvalStatus: 'APPROVED', isActive: true })(actors[PM].token, target),
  );
  expect([answer.status, answer.code]).toEqual([403, 'forbidden']);
});

describe('the creation of users', () => {
  const CREATES: Partial<Record<GlobalRole, readonly GlobalRole[]>> = { [SA]: EVERYBODY, [PA]: ['NONE'] };

  it.each(GLOBAL_ROLES)('%s can create exactly the roles that the table allows', async (role) => {
    const created: GlobalRole[] = [];
    for (const globalRole of GLOBAL_ROLES) {
      const body = { email: `${role}-makes-${globalRole}@example.com`, globalRole };
      const answer = await service.api('POST', '/internal/users', { token: actors[role].token, body });
      if (answer.status === 201) created.push(globalRole);
      else expect([answer.status, answer.code]).toEqual([403, 'forbidden']);
    }
    expect(created).toEqual(CREATES[role] ?? []);
  });
});

describe('the routes of staff that concern no single user', () => {
  const ADMINISTRATORS = [SA, PA];
  const STAFF = [SA, PA, PM];
  const NOTHING = randomUUID();

  it.each([
    ['GET', '/internal/users', STAFF, 200],
    ['GET', '/internal/sessions', STAFF, 200],
    ['GET', '/internal/session-stats', STAFF, 200],
    ['GET', '/internal/activity', ADMINISTRATORS, 200],
    ['GET', '/internal/audit-logs', ADMINISTRATORS, 200],
    ['GET', '/internal/audit-logs?tail=true', ADMINISTRATORS, 200],
    ['GET', '/internal/mail', ADMINISTRATORS, 200],
    ['POST', `/internal/mail/${NOTHING}/retry`, ADMINISTRATORS, 404],
    ['GET', '/internal/invitations', ADMINISTRATORS, 200],
    ['GET', '/internal/companies', STAFF, 200],
    ['GET', '/internal/health', ADMINISTRATORS, 200],
  ] as const)('%s %s is for exactly the roles of the table', async (method, path, allowed, status) => {
    const wanted = GLOBAL_ROLES.map((role) => [role, allowed.some((each) => each === role) ? status : 403]);
    const answering = GLOBAL_ROLES.map(async (role) => {
      const answer = await service.api(method, path, { token: actors[role].token });
      return [role, answer.status];
    });
    expect(await Promise.all(answering)).toEqual(wanted);
    expect((await service.api(method, path)).status).toBe(401);
    expect((await service.machine(method, path)).status, 'the key of machines').toBe(401);
  });

  it('the access of a user is for all staff, and needs a company', async () => {
    const target = await active('NONE');
    for (const role of GLOBAL_ROLES) {
      const answer = await call('GET', '/access')(actors[role].token, target);
      expect([role, answer.status]).toEqual([role, role === 'NONE' ? 403 : 400]);
    }
  });

  it('a role that was taken away while a request waits gives no right to retry mail', async () => {
    const [admin, user] = [await signedInUser(service, { role: PA }), await active('NONE')];
    await call('POST', '/password-reset')(actors[SA].token, user);
    const [mail] = await service.sql('SELECT id FROM mail_outbox WHERE user_id = $1', [user.id]);
    const change = `UPDATE users SET global_role = 'NONE' WHERE id = $1`;
    const answer = await overtaken(service, { userId: admin.id, change }, () =>
      service.api('POST', `/internal/mail/${String(mail?.id)}/retry`, { token: admin.token }),
    );
    expect([answer.status, answer.code]).toEqual([403, 'forbidden']);
  });
});

describe('actions of staff on themselves', () => {
  it.each(GLOBAL_ROLES)('%s reads their own detail and context, in any spelling of the id', async (role) => {
    const { id, token } = actors[role];
    const ofUser = ['', '/context', '/sessions', '/passkeys', '/factors'].map((suffix) => `/${id}${suffix}`);
    for (const path of [...ofUser, `/${id.toUpperCase()}`]) {
      const answer = await service.api('GET', `/internal/users${path}`, { token });
      expect(answer.status).toBe(200);
    }
  });

  it.each(GLOBAL_ROLES)('%s changes neither role, approval nor activity', async (role) => {
    const self = actors[role];
    const before = await stateOf(self);
    const bodies = [
      { globalRole: SA },
      { globalRole: 'NONE' },
      { globalRole: role },
      { approvalStatus: 'PENDING' },
      { approvalStatus: 'APPROVED' },
      { isActive: false },
      { isActive: true },
      { fullName: 'Grace', globalRole: role },
    ];
    for (const body of bodies) {
      const answer = await patch(body)(self.token, self);
      expect([body, answer.status, answer.code]).toEqual([body, 403, 'forbidden']);
    }
    expect((await call('DELETE')(self.token, self)).code).toBe('forbidden');
    expect(await stateOf(self)).toEqual(before);
  });

  it.each(GLOBAL_ROLES)('%s ends their own sessions, one or all', async (role) => {
    const self = await signedInUser(service, { role });
    expect((await revokeSession(self.token, self)).status).toBe(200);
    const again = await mintTokens(service, self.id);
    const answer = await call('POST', '/revoke-all')(again.token, self);
    expect(answer).toMatchObject({ status: 200, data: { status: 'ok' } });
    const live = await service.sql('SELECT 1 FROM sessions WHERE user_id = $1 AND NOT is_revoked', [self.id]);
    expect(live).toEqual([]);
  });
});

describe('a patch with several changes', () => {
  it('a patch with several changes is refused whole when one of them is not allowed', async () => {
    const target = await pending('NONE');
    const answer = await patch({ approvalStatus: 'APPROVED', isActive: true, fullName: 'Grace' })(
      actors[PM].token,
      target,
    );
    expect(answer.status).toBe(403);
    expect(await stateOf(target)).toMatchObject([{ approval_status: 'PENDING', is_active: false }]);
  });
});
