import { randomBytes } from 'node:crypto';
import { GLOBAL_ROLES, unknownClient, type Auth, type GlobalRole, type TrustedActor } from '@latchkey/core';
import { anything, someText, someTexts } from '@latchkey/core/internal/settings/option-rules';
import { assertOptions, type OptionRule } from '@latchkey/core/settings';
import type { TestCompanies } from './test-companies.js';

/** The fields of a test user; all have defaults: an approved, active user with an email of their own. */
export interface NewTestUser {
  email?: string;
  /** Defaults to `TEST_PASSWORD`. */
  password?: string;
  fullName?: string;
  /** Defaults to NONE. */
  globalRole?: GlobalRole;
  /** A name of your choice or a UUID; the user becomes a member. */
  company?: string;
  /** The role in the company. Defaults to MEMBER. */
  role?: string;
  /** Granted to the member; the company is entitled to them, unless `kit.company` has set its entitlements. */
  modules?: readonly string[];
  permissions?: readonly string[];
  /** Rights that the member may delegate. */
  delegation?: {
    canManageUsers?: boolean;
    canBuyAddons?: boolean;
    grantableModules?: string[];
    grantablePermissions?: string[];
  };
}

/** A user who is signed in. */
export interface TestUser {
  id: string;
  email: string;
  fullName: string;
  password: string;
  globalRole: GlobalRole;
  companyId?: string;
  accessToken: string;
  refreshToken: string;
  /** The headers of the user's requests; `x-org` names the company. */
  headers: { authorization: string; 'x-org'?: string };
}

/** The default password of every user. */
export const TEST_PASSWORD = 'correct horse battery staple';

const KIT: TrustedActor = { kind: 'operator', name: 'test-kit' };

// An address for documentation (RFC 5737): addresses that tests use stay unknown to the account.
const SIGN_IN_CLIENT = { ...unknownClient, ipAddress: '192.0.2.1' };

const SECOND_FACTOR_REQUIRED =
  'kit.user: the sign-in requires a second factor, which the kit does not have; do not require one of its users';

/** Creates users by the services of staff and machines: their rules apply, and the audit log records them. */
export class TestUsers {
  readonly #auth: Auth;
  readonly #companies: TestCompanies;

  constructor(auth: Auth, companies: TestCompanies) {
    this.#auth = auth;
    this.#companies = companies;
  }

  /**
   * Creates a user. @throws TypeError for unknown fields, values of a wrong type and fields that require a company, AuthError as the services throw, Error if the
   * sign-in requires a second factor.
   */
  async create(wanted: NewTestUser): Promise<TestUser> {
    assertOptions({ name: 'kit.user' }, wanted, USER_FIELDS);
    assertConsistent(wanted);
    const { fullName = 'Ada Lovelace', password = TEST_PASSWORD, globalRole = 'NONE' } = wanted;
    const { id, email } = await this.#auth.admin.users.create(
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
    // A sign-in and no minted session: actions that require a recent sign-in accept the user.
    const tokens = await this.#auth.login.withPassword({ email, password }, SIGN_IN_CLIENT);
    if ('secondFactor' in tokens) throw new Error(SECOND_FACTOR_REQUIRED);
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
      // Under ENFORCED rules decide, under LEGACY the list of grants: a granted module is in both.
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

const USER_FIELDS = {
  email: someText,
  password: someText,
  fullName: someText,
  globalRole: {
    allowed: `one of ${GLOBAL_ROLES.join(', ')}`,
    isAllowed: (value) => GLOBAL_ROLES.some((role) => role === value),
  },
  company: someText,
  role: someText,
  modules: someTexts,
  permissions: someTexts,
  delegation: anything,
} satisfies Record<keyof NewTestUser, OptionRule>;

const NEED_COMPANY = ['role', 'modules', 'permissions', 'delegation'] as const;

function assertConsistent(wanted: NewTestUser): void {
  const alone = NEED_COMPANY.find((field) => wanted[field] !== undefined);
  if (wanted.company !== undefined || alone === undefined) return;
  throw new TypeError(`kit.user: ${alone} requires a company; name one, as in company: 'acme'`);
}
