import { randomBytes } from 'node:crypto';
import type { Auth } from '../compose/auth.js';
import type { TrustedActor } from '../kernel/actor.js';
import { unknownClient } from '../kernel/client-info.js';
import type { GlobalRole } from '../users/user.js';
import type { TestCompanies } from './test-companies.js';

/**
 * Everything may be left out: an approved, active user with an address of their own.
 * @example
 * ```ts
 * const clerk: NewTestUser = { company: 'acme', modules: ['billing'], permissions: ['invoices:approve'] };
 * const { headers, companyId } = await kit.user(clerk);
 * headers['x-org'] === companyId; // → true
 * ```
 */
export interface NewTestUser {
  email?: string;
  /** Default: `TEST_PASSWORD`. */
  password?: string;
  fullName?: string;
  /** Default: NONE. */
  globalRole?: GlobalRole;
  /** A name of your choice or a UUID; the user becomes a member. */
  company?: string;
  /** In the company. Default: MEMBER. */
  role?: string;
  /** Granted to the member; the company is entitled to them, unless `kit.company` said to what it is. */
  modules?: readonly string[];
  permissions?: readonly string[];
  /** What the member may pass on to others. */
  delegation?: {
    canManageUsers?: boolean;
    canBuyAddons?: boolean;
    grantableModules?: string[];
    grantablePermissions?: string[];
  };
}

/**
 * A user who is signed in.
 * @example
 * ```ts
 * const ann: TestUser = await kit.user();
 * const signedIn = await kit.auth.authenticator.authenticate(ann.accessToken);
 * signedIn.user.email === ann.email; // → true
 * ```
 */
export interface TestUser {
  id: string;
  email: string;
  fullName: string;
  password: string;
  globalRole: GlobalRole;
  companyId?: string;
  accessToken: string;
  refreshToken: string;
  /** For requests in the user's name; `x-org` names the company. */
  headers: { authorization: string; 'x-org'?: string };
}

/**
 * The password of every user who is not given another one.
 * @example
 * ```ts
 * const { email } = await kit.user();
 * const tokens = await kit.auth.login.withPassword({ email, password: TEST_PASSWORD });
 * tokens.tokenType; // → 'Bearer'
 * ```
 */
export const TEST_PASSWORD = 'correct horse battery staple';

const KIT: TrustedActor = { kind: 'operator', name: 'test-kit' };

// An address for documentation (RFC 5737): addresses that tests use stay unknown to the account.
const SIGN_IN_CLIENT = { ...unknownClient, ipAddress: '192.0.2.1' };

/** Users, made by the services that staff and machines use: their rules hold, and the audit log tells of them. */
export class TestUsers {
  readonly #auth: Auth;
  readonly #companies: TestCompanies;

  constructor(auth: Auth, companies: TestCompanies) {
    this.#auth = auth;
    this.#companies = companies;
  }

  /** @throws TypeError for fields that need a company, AuthError as the services throw. */
  async create(wanted: NewTestUser): Promise<TestUser> {
    assertConsistent(wanted);
    const { fullName = 'Ada Lovelace', password = TEST_PASSWORD, globalRole = 'NONE' } = wanted;
    const { id, email } = await this.#auth.userAdministration.create(
      KIT,
      {
        email: wanted.email ?? `user-${randomBytes(6).toString('hex')}@example.com`,
        password,
        fullName,
        globalRole,
        authProvider: 'password',
        approvalStatus: 'APPROVED',
        isActive: true,
        legacyIds: {},
      },
      unknownClient,
    );
    const companyId = await this.#join(id, wanted);
    // A sign-in and no minted session: what asks for a fresh sign-in lets the user pass.
    const tokens = await this.#auth.login.withPassword({ email, password }, SIGN_IN_CLIENT);
    const headers = {
      authorization: `Bearer ${tokens.accessToken}`,
      ...(companyId !== undefined && { 'x-org': companyId }),
    };
    return {
      id,
      email,
      fullName,
      password,
      globalRole,
      ...(companyId !== undefined && { companyId }),
      accessToken: tokens.accessToken,
      refreshToken: tokens.refreshToken,
      headers,
    };
  }

  async #join(userId: string, wanted: NewTestUser): Promise<string | undefined> {
    const { company, role = 'MEMBER', modules = [], permissions = [], delegation } = wanted;
    if (company === undefined) return undefined;
    const companyId = this.#companies.join(company, modules);
    const place = {
      userId,
      role,
      moduleGrants: [...modules],
      permissionGrants: [...permissions],
      ...(delegation && { delegation }),
      // Under ENFORCED rules decide, under LEGACY the list of grants: a module that is granted is so under both.
      moduleRules: modules.map((moduleKey) => ({
        moduleKey,
        effect: 'GRANT' as const,
        source: 'MEMBER' as const,
      })),
    };
    await this.#auth.memberships.upsertCompany(KIT, companyId, place, unknownClient);
    return companyId;
  }
}

const NEED_COMPANY = ['role', 'modules', 'permissions', 'delegation'] as const;

function assertConsistent(wanted: NewTestUser): void {
  const alone = NEED_COMPANY.find((field) => wanted[field] !== undefined);
  if (wanted.company !== undefined || alone === undefined) return;
  throw new TypeError(`kit.user: ${alone} is about a place in a company; name one, as in company: 'acme'`);
}
