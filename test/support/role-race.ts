import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { uuidv7 as newId } from 'uuidv7';
import { expect } from 'vitest';
import type { CoreService } from '../../examples/core-service/core-service.js';
import type { ApiClient } from './api-client.js';
import { asSignedInByPassword } from './minted-token.js';
import type { Replicas } from './replicas.js';
import { insertMembership, type NewTestMembership } from './test-memberships.js';
import type { TestUser } from './test-users.js';

/** The modules to which every company is entitled. */
const ENTITLED = ['billing', 'payroll', 'stock'];
const DELEGATION = { canManageUsers: true, grantableModules: ['billing'] };

type Person = TestUser & { token: string };

/** The result of a request: its status, and the reason of a refusal. */
export type Verdict = readonly [status: number, reason: string | undefined];

/** A company before a race, with its people. */
export interface RaceCompany {
  id: string;
  /** Both are `TENANT_SUPERADMIN`. */
  owner: Person;
  second: Person;
  /** May invite with the module `billing`. */
  delegate: Person;
  guest: Person;
  /** Token of the open invitation of the guest. */
  token: string;
}

/** The state of a company before a race. */
export interface RaceStart {
  /** The definitions of roles. */
  roles?: Record<string, object>;
  /** The role that an open invitation offers the guest. By default there is no invitation. */
  offered?: string;
  /** The inviter. Defaults to the owner. */
  inviter?: 'owner' | 'delegate';
  /** The role that the guest has. By default the guest is no member. */
  held?: string;
  /** The role that lets the delegate invite. By default their own delegation does. */
  delegateRole?: string;
}

/** A request of an administrator. */
interface CompanyRequest {
  /** Defaults to the owner. */
  by?: 'owner' | 'second';
  method: string;
  /** The path below the company. */
  path: string;
  body: object;
}

/** Returns a definition of a role with these modules. */
export const roleWith = (...modules: string[]) => ({ name: 'Role', modules, permissions: [] });

/** The definition of a role whose members may invite with `billing`. */
export const INVITING = { ...roleWith(), delegation: DELEGATION };

/** Makes companies on two replicas, sends requests of their people, and reads what has become of them. */
export class RoleRaces {
  readonly #replicas: Replicas;
  readonly #core: CoreService;
  #requests = 0;

  constructor(replicas: Replicas, core: CoreService) {
    this.#replicas = replicas;
    this.#core = core;
  }

  async company({
    roles = {},
    delegateRole,
    held,
    offered,
    inviter = 'owner',
  }: RaceStart): Promise<RaceCompany> {
    const id = randomUUID();
    this.#core.set(id, { modules: ENTITLED });
    const superadmin = { companyId: id, role: 'TENANT_SUPERADMIN' };
    const [owner, second, delegate, guest] = await Promise.all([
      this.#person(superadmin),
      this.#person(superadmin),
      this.#person({
        companyId: id,
        ...(delegateRole === undefined ? { delegation: DELEGATION } : { role: delegateRole }),
      }),
      this.#person(held === undefined ? undefined : { companyId: id, role: held }),
    ]);
    const company = {
      id,
      owner,
      second,
      delegate,
      guest,
      token: `lki_${randomBytes(32).toString('base64url')}`,
    };
    const at = this.#replicas.turn(0);
    for (const [key, body] of Object.entries(roles))
      expect(await this.ask(at, company, { method: 'PUT', path: `/roles/${key}`, body })).toEqual([
        201,
        undefined,
      ]);
    if (offered !== undefined) await this.#invite(company, offered, company[inviter].id);
    return company;
  }

  /** Sends a request of one of its people to a route of the company. */
  ask(
    at: ApiClient,
    company: RaceCompany,
    { by = 'owner', path, ...request }: CompanyRequest,
  ): Promise<Verdict> {
    return this.#send(at, company, company[by], {
      ...request,
      path: `/internal/companies/${company.id}${path}`,
    });
  }

  /** Accepts the open invitation of the guest. */
  accept(at: ApiClient, company: RaceCompany): Promise<Verdict> {
    const body = { token: company.token };
    return this.#send(at, company, company.guest, { method: 'POST', path: '/auth/invitations/accept', body });
  }

  /** Invites the guest in the name of the delegate. */
  invite(at: ApiClient, company: RaceCompany): Promise<Verdict> {
    const body = { email: company.guest.email, moduleGrants: ['billing'] };
    return this.#send(at, company, company.delegate, { method: 'POST', path: '/auth/invitations', body });
  }

  /** Returns all of a company that a race may change: roles by person, invitations, definitions, and what the guest may do. */
  async stateOf({ id, ...people }: RaceCompany) {
    const { sql } = this.#replicas;
    const [members, invitations, definitions] = await Promise.all([
      sql('SELECT user_id, role FROM company_memberships WHERE company_id = $1 AND is_active', [id]),
      sql('SELECT role, status FROM invitations WHERE company_id = $1', [id]),
      sql('SELECT key, modules FROM company_roles WHERE company_id = $1 ORDER BY key', [id]),
    ]);
    const roleOf = ({ id: userId }: Person) => members.find((row) => row.user_id === userId)?.role;
    const roles = {
      owner: roleOf(people.owner),
      second: roleOf(people.second),
      delegate: roleOf(people.delegate),
      guest: roleOf(people.guest),
    };
    return { roles, invitations, definitions, access: await this.#accessOf(people.guest, id) };
  }

  /** Returns the open invitations of a company whose inviter could not make them now: what `POST /auth/invitations` refuses. */
  async tooWideInvitations({ id, delegate, guest }: RaceCompany): Promise<unknown[]> {
    return this.#replicas.sql(
      `SELECT i.role FROM invitations i
         LEFT JOIN company_roles r ON r.company_id = i.company_id AND r.key = i.role
         LEFT JOIN company_memberships m ON m.company_id = i.company_id AND m.user_id = i.invited_by_user_id AND m.is_active
         LEFT JOIN company_roles own ON own.company_id = m.company_id AND own.key = m.role
         LEFT JOIN membership_delegations d ON d.membership_id = m.id
       WHERE i.company_id = $1 AND i.email = $2 AND i.status = 'PENDING' AND i.invited_by_user_id = $3
         AND NOT (i.role = 'MEMBER'
           AND (coalesce(d.can_manage_users, false) OR coalesce((own.delegation->>'canManageUsers')::boolean, false))
           AND i.module_grants || coalesce(r.modules, '{}') <@ ARRAY['billing'])`,
      [id, guest.email, delegate.id],
    );
  }

  async #send(
    at: ApiClient,
    { id }: RaceCompany,
    { token }: Person,
    { method, path, body }: { method: string; path: string; body: object },
  ): Promise<Verdict> {
    this.#requests += 1;
    const headers = {
      accept: 'application/problem+json',
      'x-org': id,
      // Rejected tokens of one address are limited.
      'x-forwarded-for': `10.2.${this.#requests >> 8}.${this.#requests & 255}`,
    };
    const answer = await at.send(method, path, { token, body, headers });
    return [answer.status, (answer.body as { reason?: string } | undefined)?.reason];
  }

  async #person(membership: Omit<NewTestMembership, 'userId'> | undefined): Promise<Person> {
    const user = await this.#replicas.createUser();
    const { token } = asSignedInByPassword(await this.#replicas.mint(user.id));
    if (membership) await insertMembership(this.#replicas.sql, { ...membership, userId: user.id });
    return { ...user, token };
  }

  /** Writes an invitation whose token is known without a mail. */
  async #invite({ id, guest, token }: RaceCompany, role: string, inviterId: string): Promise<void> {
    await this.#replicas.sql(
      `INSERT INTO invitations (id, company_id, email, role, module_grants, permission_grants, delegation, expires_at,
         invited_by_user_id, token_digest)
       VALUES ($1, $2, $3, $4, '{billing}', '{}',
         '{"canManageUsers":false,"canBuyAddons":false,"grantableModules":[],"grantablePermissions":[]}',
         now() + interval '1 day', $5, $6)`,
      [newId(), id, guest.email, role, inviterId, createHash('sha256').update(token).digest()],
    );
  }

  async #accessOf({ token }: Person, companyId: string) {
    const answer = await this.#replicas
      .turn(0)
      .send('GET', '/auth/me/access', { token, headers: { 'x-org': companyId } });
    return { status: answer.status, modules: answer.data.modules };
  }
}
