import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { asSignedInByPassword, signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';
import { insertMembership } from '../support/test-memberships.js';
import { waitUntil } from '../support/wait-until.js';

const ROUNDS = 40;
const SETTINGS = { JWT_ISSUER: 'https://auth.example.com', LOGIN_RATE_LIMIT: '100000', TRUST_PROXY: '1' };

let service: TestService;
/** A second process on the same database. */
let other: TestService;
beforeAll(async () => {
  service = await startTestService({ env: SETTINGS });
  other = await startTestService({ env: SETTINGS, databaseUrl: service.databaseUrl });
});
afterAll(async () => {
  await other.stop();
  await service.stop();
});

/** An open invitation of a delegate or administrator, and the person who accepts it. */
interface Round {
  companyId: string;
  admin: SignedInTestUser;
  guest: SignedInTestUser;
  token: string;
}

async function round(role: string, { byDelegate = false } = {}): Promise<Round> {
  const companyId = randomUUID();
  const admin = asSignedInByPassword(await signedInUser(service));
  await insertMembership(service.sql, { userId: admin.id, companyId, role: 'ADMIN' });
  const inviter = byDelegate ? await delegate(companyId) : admin;
  const guest = await signedInUser(service);
  const created = await service.api('POST', '/auth/invitations', {
    token: inviter.token,
    headers: { 'x-org': companyId },
    body: { email: guest.email, role, moduleGrants: ['billing'] },
  });
  expect(created.status, created.text).toBe(201);
  const token = `lki_${randomBytes(32).toString('base64url')}`;
  const digest = createHash('sha256').update(token).digest();
  // The mail has a token of its own, which this one replaces once it was sent.
  await waitUntil(
    async () => {
      const [changed] = await service.sql(
        'UPDATE invitations SET token_digest = $2 WHERE id = $1 AND token_digest IS NOT NULL RETURNING id',
        [created.data.id, digest],
      );
      return changed;
    },
    { what: 'the mail of the invitation' },
  );
  return { companyId, admin, guest, token };
}

async function delegate(companyId: string): Promise<SignedInTestUser> {
  const user = await signedInUser(service);
  const id = await insertMembership(service.sql, { userId: user.id, companyId });
  await service.sql(
    `INSERT INTO membership_delegations (membership_id, can_manage_users, grantable_modules) VALUES ($1, true, '{billing}')
     ON CONFLICT (membership_id) DO UPDATE SET can_manage_users = true, grantable_modules = '{billing}'`,
    [id],
  );
  return user;
}

const rolePath = ({ companyId }: Round, key: string): string =>
  `/internal/companies/${companyId}/roles/${key}`;
const define = (at: TestService, of: Round, key: string, body: object): Promise<Answer> =>
  at.api('PUT', rolePath(of, key), { token: of.admin.token, body });
const remove = (at: TestService, of: Round, key: string): Promise<Answer> =>
  at.api('DELETE', rolePath(of, key), { token: of.admin.token });

let acceptances = 0;
/** Each from an address of its own: refused tokens of one address are limited. */
const accept = (at: TestService, { guest, token }: Round): Promise<Answer> =>
  at.api('POST', '/auth/invitations/accept', {
    token: guest.token,
    headers: { 'x-forwarded-for': `10.1.0.${(acceptances += 1)}` },
    body: { token },
  });

/** Sends both at once, each to a process of its own, in an order that changes. */
const atOnce = <One, Two>(
  turn: number,
  one: (at: TestService) => Promise<One>,
  two: (at: TestService) => Promise<Two>,
) =>
  turn % 2 === 0
    ? Promise.all([one(service), two(other)])
    : Promise.all([two(other), one(service)]).then(swap);
const swap = <One, Two>([two, one]: [Two, One]): [One, Two] => [one, two];

async function stateOf({ companyId, guest }: Round) {
  const [invitation] = await service.sql('SELECT status FROM invitations WHERE company_id = $1', [companyId]);
  const members = await service.sql(
    'SELECT role FROM company_memberships WHERE company_id = $1 AND user_id = $2 AND is_active',
    [companyId, guest.id],
  );
  return { status: invitation?.status, members };
}

it('no member keeps a role whose definition is removed while an invitation with it is accepted', async () => {
  for (let turn = 0; turn < ROUNDS; turn++) {
    const of = await round('READER');
    const definition = { name: 'Reader', modules: ['billing'], permissions: [] };
    expect((await define(service, of, 'READER', definition)).status).toBe(201);
    const [removed, accepted] = await atOnce(
      turn,
      (at) => remove(at, of, 'READER'),
      (at) => accept(at, of),
    );
    const { status, members } = await stateOf(of);
    const isMember = members.length === 1;
    expect([removed.status, accepted.status, status]).toEqual(
      isMember ? [409, 200, 'ACCEPTED'] : [200, 409, 'CANCELLED'],
    );
  }
});

it('an offer of a delegate that a wider MEMBER forbids is accepted before the change or cancelled, never after it', async () => {
  for (let turn = 0; turn < ROUNDS; turn++) {
    const of = await round('MEMBER', { byDelegate: true });
    const wider = { name: 'Member', modules: ['billing', 'payroll'], permissions: [] };
    const [defined, accepted] = await atOnce(
      turn,
      (at) => define(at, of, 'MEMBER', wider),
      (at) => accept(at, of),
    );
    expect(defined.status, defined.text).toBe(201);
    const { status, members } = await stateOf(of);
    expect([accepted.status, status, members.length]).toEqual(
      members.length === 1 ? [200, 'ACCEPTED', 1] : [409, 'CANCELLED', 0],
    );
    const [order] = await service.sql(
      `SELECT (SELECT occurred_at FROM auth_audit_logs WHERE company_id = $1 AND event = 'invitation_accepted')
         IS NOT NULL AS accepted`,
      [of.companyId],
    );
    expect(order).toEqual({ accepted: members.length === 1 });
  }
});
