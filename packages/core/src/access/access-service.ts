import type { CompanyQueries } from '../companies/company-queries.js';
import { toCompanyView } from '../companies/company-schema.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { checkId } from '../kernel/uuid-input.js';
import { isCompanyAdministrator, isPlatformAdministrator } from '../memberships/company-authority.js';
import { keyInput } from '../memberships/membership-input.js';
import type { MembershipRepository } from '../memberships/membership-repository.js';
import type { CompanyMembership, DecidingRule, DecidingRules } from '../memberships/membership.js';
import type { AuthenticationLevel } from '../tokens/authentication-level.js';
import type { UserRepository } from '../users/user-repository.js';
import { assertMaySignIn, maySignIn, type SignInState } from '../users/user.js';
import { reportOf, type AccessReport } from './access-report.js';
import {
  accessOf,
  enforcedModulesOf,
  explanationOf,
  type AccessSubject,
  type Resolution,
} from './access-resolution.js';
import {
  accessQuery,
  type AccessQuery,
  type AccessView,
  type CompanyDetailsView,
  type ExplainedAccessView,
} from './access-schema.js';
import { claimOfMember, judgeModule, type ModuleClaim } from './effective-modules.js';
import type { Entitlements, EntitlementSource } from './entitlements.js';
import { accessOfCompanyKey, cutToKey, type KeyHolder } from './key-access.js';
import type { ModuleRuleRepository } from './module-rule-repository.js';
import type { ShadowComparison, ShadowCounts } from './shadow-comparison.js';

/** A row of a company's list of people. */
interface ModuleCandidate {
  user: SignInState;
  membership: CompanyMembership;
}

/** Function that selects the holders of a module, in the given order. */
export type HolderFilter = <Candidate extends ModuleCandidate>(
  candidates: readonly Candidate[],
) => Promise<Candidate[]>;

interface AccessServiceDeps {
  readonly entitlements: EntitlementSource;
  /** False without a source of entitlements: then no company can require anything. */
  readonly companiesRequire: boolean;
  readonly companyQueries: Pick<CompanyQueries, 'list'>;
  readonly rules: ModuleRuleRepository;
  readonly users: UserRepository;
  readonly memberships: MembershipRepository;
  readonly shadow: ShadowComparison;
}

/** Resolves the access of users in companies: their grants, capped by the company's entitlements. */
export class AccessService {
  readonly #deps: AccessServiceDeps;

  constructor(deps: AccessServiceDeps) {
    this.#deps = deps;
  }

  /** The number of answers in companies under SHADOW that ENFORCED would have changed. */
  get shadowCounts(): ShadowCounts {
    return this.#deps.shadow.counts;
  }

  /**
   * Returns the access of a subject whose memberships are known.
   * @throws AuthError `forbidden` without an active membership (administrators of the platform need none) and for a
   * company that is not known, `second_factor_required` for a company that requires one, `service_unavailable`.
   */
  async resolve(subject: AccessSubject, companyId: string): Promise<AccessView> {
    const resolution = await this.#look(subject, checkId(companyId, 'companyId'));
    assertLevelFor(subject, resolution.entitlements);
    return this.#answer(resolution);
  }

  /**
   * Throws unless a session has the level that a company requires of its members. Whatever a member does in a company by
   * their membership requires it; a company that is not known requires nothing.
   * @throws AuthError `second_factor_required`, `service_unavailable` while the requirement cannot be known.
   */
  async assertLevel(session: { acr?: AuthenticationLevel }, companyId: string): Promise<void> {
    companyId = checkId(companyId, 'companyId');
    // Two factors meet every requirement, so nothing depends on the entitlements.
    if (session.acr === 'aal2' || !this.#deps.companiesRequire) return;
    const entitlements = await this.#deps.entitlements.fetch(companyId).catch(undefinedIfUnknown);
    if (entitlements) assertLevelFor(session, entitlements);
  }

  /**
   * Returns the access of an API key in its company: what its owner has there now, or the entitlements for a key of the company, cut by
   * the lists of the key. It has no role and no delegation, and platform roles give it nothing.
   * @throws AuthError like `resolve`; for a company that requires a second factor by the level of the session in which the key was made.
   */
  async resolveOfKey(holder: KeyHolder, companyId: string): Promise<AccessView> {
    const { owner, ...key } = holder;
    if (owner) return cutToKey(await this.resolve(owner, companyId), key);
    const entitlements = await this.#deps.entitlements.fetch(companyId);
    assertLevelFor(key, entitlements);
    return accessOfCompanyKey(key, companyId, entitlements);
  }

  /**
   * Returns what a company is entitled to, and how many belong to it. The caller of the route decides who may read.
   * @throws AuthError `forbidden` for a company that is not known, `service_unavailable`.
   */
  async company(companyId: string): Promise<CompanyDetailsView> {
    companyId = checkId(companyId, 'companyId');
    const [entitlements, [listed]] = await Promise.all([
      this.#deps.entitlements.fetch(companyId),
      this.#deps.companyQueries.list({ ids: companyId }, undefined, 1),
    ]);
    const { name, activeMembers = 0, openInvitations = 0 } = listed ? toCompanyView(listed) : {};
    return {
      id: companyId,
      name: entitlements.name ?? name,
      modules: [...entitlements.modules].toSorted(),
      permissions: entitlements.permissions && [...entitlements.permissions].toSorted(),
      accessPolicyMode: entitlements.accessPolicyMode,
      requiresSecondFactor: entitlements.requireSecondFactor,
      counts: { activeMembers, openInvitations },
    };
  }

  /**
   * Returns the access of any user, on request with the reason for each module.
   * @throws AuthError `not_found`, the sign-in codes for a user who may not sign in, and what `resolve` throws.
   */
  async resolveOf(userId: string, companyId: string, query: AccessQuery = {}): Promise<ExplainedAccessView> {
    const { explain } = checkInput(accessQuery, query, 'query');
    const resolution = await this.#lookAt(userId, companyId);
    const access = this.#answer(resolution);
    return explain ? { ...access, explanation: explanationOf(resolution) } : access;
  }

  /**
   * Returns the access of a member with the reason for each module, for the administrators of the company. Everyone without an active
   * membership of it is not found, whatever else there is of them. The access is not used, so nothing is counted under SHADOW.
   * @throws AuthError `not_found`, the sign-in codes for a member who may not sign in, `forbidden` for a company that is not known,
   * `service_unavailable`.
   */
  async explainMember(companyId: string, userId: string): Promise<ExplainedAccessView> {
    companyId = checkId(companyId, 'companyId');
    userId = checkId(userId, 'userId');
    const { user, memberships } = await this.#read(userId);
    const isMember = memberships.companies.some((place) => place.companyId === companyId);
    if (!user || !isMember) throw AuthError.notFound('The membership', 'membership_not_found');
    assertMaySignIn(user);
    const subject = { userId, globalRole: user.globalRole, memberships };
    const resolution = await this.#look(subject, companyId);
    return { ...accessOf(resolution), explanation: explanationOf(resolution) };
  }

  /**
   * Returns the access of a user with all facts that it is based on: grants, rules and their origins. The
   * access is not used, so nothing is counted under SHADOW.
   */
  async reportOn(userId: string, companyId: string): Promise<AccessReport> {
    const resolution = await this.#lookAt(userId, companyId);
    const { membership, entitlements } = resolution;
    if (!membership) return reportOf(resolution, []);
    const rules = await this.#deps.rules.inFull(membership.id);
    const claim = claimOfMember(membership, rulesThatCount(rules, membership, entitlements));
    return reportOf({ ...resolution, claim }, rules);
  }

  /**
   * Returns those of a company's users who hold a module, in the given order: one look-up of entitlements,
   * and one query for the rules of all. Users who are inactive or may not sign in hold no module.
   * @throws AuthError `forbidden` for a company that is not known, `service_unavailable`.
   */
  async holdersOfModule<Candidate extends ModuleCandidate>(
    companyId: string,
    moduleKey: string,
    candidates: readonly Candidate[],
  ): Promise<Candidate[]> {
    return (await this.holderFilter(companyId, moduleKey))(candidates);
  }

  /**
   * Returns `holdersOfModule` as a function, for candidates that come in slices: all are judged by the entitlements
   * of this call.
   * @throws AuthError `forbidden` for a company that is not known, `service_unavailable`.
   */
  async holderFilter(companyId: string, moduleKey: string): Promise<HolderFilter> {
    companyId = checkId(companyId, 'companyId');
    moduleKey = checkInput(keyInput, moduleKey, 'module');
    const entitlements = await this.#deps.entitlements.fetch(companyId);
    if (!entitlements.modules.has(moduleKey)) return () => Promise.resolve([]);
    const decides = entitlements.accessPolicyMode === 'ENFORCED';
    return async (candidates) => {
      const eligible = candidates.filter(({ user, membership }) => membership.isActive && maySignIn(user));
      const rules = decides ? await this.#rulesOf(eligible.map(({ membership }) => membership)) : NO_RULES;
      return eligible.filter(({ membership }) => {
        const claim = claimOfMember(membership, rules.get(membership.id) ?? []);
        return judgeModule(moduleKey, claim, entitlements).isEffective;
      });
    };
  }

  async #lookAt(userId: string, companyId: string): Promise<Resolution> {
    userId = checkId(userId, 'userId');
    companyId = checkId(companyId, 'companyId');
    return this.#look(await this.#subject(userId), companyId);
  }

  async #subject(userId: string): Promise<AccessSubject> {
    const { user, memberships } = await this.#read(userId);
    if (!user) throw AuthError.notFound('The user', 'user_not_found');
    assertMaySignIn(user);
    return { userId, globalRole: user.globalRole, memberships };
  }

  async #read(userId: string) {
    const [user, memberships] = await Promise.all([
      this.#deps.users.findById(userId),
      this.#deps.memberships.ofUser(userId),
    ]);
    return { user, memberships };
  }

  async #look(subject: AccessSubject, companyId: string): Promise<Resolution> {
    const membership = subject.memberships.companies.find((place) => place.companyId === companyId);
    if (!membership && !isPlatformAdministrator(subject.globalRole)) {
      throw AuthError.forbidden('There is no active membership of this company.', 'not_a_member');
    }
    const entitlements = await this.#deps.entitlements.fetch(companyId);
    const claim = await this.#claimOf(subject, membership, entitlements);
    return { subject, companyId, membership, entitlements, claim };
  }

  async #claimOf(
    { moduleRules }: AccessSubject,
    membership: CompanyMembership | undefined,
    { accessPolicyMode }: Entitlements,
  ): Promise<ModuleClaim> {
    if (!membership) return { kind: 'platform' };
    if (accessPolicyMode === 'LEGACY' || isCompanyAdministrator(membership))
      return claimOfMember(membership, []);
    if (moduleRules) return claimOfMember(membership, moduleRules.get(membership.id) ?? []);
    return claimOfMember(membership, await this.#deps.rules.ofMembership(membership.id));
  }

  /** Reads the deciding rules; none apply to administrators of the company. */
  #rulesOf(memberships: readonly CompanyMembership[]): Promise<DecidingRules> {
    const bound = memberships.filter((membership) => !isCompanyAdministrator(membership));
    return this.#deps.rules.ofMemberships(bound.map(({ id }) => id));
  }

  #answer(resolution: Resolution): AccessView {
    const access = accessOf(resolution);
    const enforced = enforcedModulesOf(resolution);
    if (enforced) {
      const { companyId, userId } = access.metadata;
      this.#deps.shadow.record({ companyId, userId, legacy: access.modules, enforced });
    }
    return access;
  }
}

/** @throws AuthError `second_factor_required` */
function assertLevelFor({ acr }: Pick<AccessSubject, 'acr'>, { requireSecondFactor }: Entitlements): void {
  if (!requireSecondFactor || acr === 'aal2') return;
  throw new AuthError('second_factor_required', 'This company requires a sign-in with a second factor.');
}

function undefinedIfUnknown(error: unknown): undefined {
  if (AuthError.is(error) && error.reason === 'company_unknown') return undefined;
  throw error;
}

/**
 * Returns the rules that `resolveOf` would have read: none under LEGACY, none for administrators of the
 * company.
 */
const rulesThatCount = (
  rules: readonly DecidingRule[],
  membership: CompanyMembership,
  { accessPolicyMode }: Entitlements,
): readonly DecidingRule[] =>
  accessPolicyMode === 'LEGACY' || isCompanyAdministrator(membership) ? [] : rules;

const NO_RULES: DecidingRules = new Map();
