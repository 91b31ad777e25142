import { checkInput } from '../kernel/check-input.js';
import { checkId } from '../kernel/uuid-input.js';
import type { CompanyMember } from '../memberships/member.js';
import type { MembershipQueries } from '../memberships/membership-queries.js';
import type { DecidingRule } from '../memberships/membership.js';
import { maySignIn } from '../users/user.js';
import { policySwitch, type PolicySwitch } from './access-schema.js';
import { claimOfMember, effectiveModules, type ModuleClaim } from './effective-modules.js';
import type { AccessPolicyMode, Entitlements, EntitlementSource } from './entitlements.js';
import { moduleDifference, type ModuleDifference } from './module-difference.js';
import type { ModuleRuleRepository } from './module-rule-repository.js';

/** The effect of a policy switch on a company's active members. */
export interface PolicyPreviewView {
  companyId: string;
  /** The mode the company is under now. */
  currentMode: AccessPolicyMode;
  from: AccessPolicyMode;
  to: AccessPolicyMode;
  entitledModules: string[];
  summary: {
    /** Active members. */
    members: number;
    /** Members who may not sign in now, and so hold no module in either mode. */
    barred: number;
    unchanged: number;
    changed: number;
    /** Members who would gain a module and members who would lose one; some do both. */
    gaining: number;
    losing: number;
  };
  /** Newest first. */
  members: MemberPreviewView[];
}

/** The effect of a policy switch on one member. */
export interface MemberPreviewView extends ModuleDifference {
  userId: string;
  email: string;
  role: string;
  before: string[];
  after: string[];
}

/** Options of a preview: the members to list, and a callback for progress. */
export interface PreviewOptions {
  /** False: members without a change are counted and left out. */
  includeUnchanged: boolean;
  /** Called after each page of members. */
  onProgress?: (done: number, total: number) => void;
}

const PAGE_SIZE = 500;
const ALL = { limit: Infinity, offset: 0 };

/** Previews the effect of a company's move to another access policy. Writes nothing. */
export class PolicyPreview {
  readonly #deps;

  constructor(deps: {
    readonly entitlements: EntitlementSource;
    readonly rules: ModuleRuleRepository;
    readonly membershipQueries: MembershipQueries;
  }) {
    this.#deps = deps;
  }

  /**
   * Returns the preview, member by member. Entitlements are fetched once, members are read page by page.
   * @throws AuthError `forbidden` for an unknown company, `service_unavailable`.
   */
  async of(
    companyId: string,
    modes: PolicySwitch,
    { includeUnchanged, onProgress }: PreviewOptions,
  ): Promise<PolicyPreviewView> {
    companyId = checkId(companyId, 'companyId');
    const { from, to } = checkInput(policySwitch, modes, 'modes');
    const entitlements = await this.#deps.entitlements.fetch(companyId);
    const preview = emptyPreview(companyId, entitlements, { from, to });
    const { membershipQueries } = this.#deps;
    const { slices, total } = await membershipQueries.companyUsersInSlices(companyId, ALL, PAGE_SIZE);
    for await (const page of slices) {
      for (const member of await this.#compare(page, entitlements, preview)) {
        count(member, preview.summary);
        if (includeUnchanged || isChanged(member)) preview.members.push(member);
      }
      preview.summary.barred += page.filter(({ user }) => !maySignIn(user)).length;
      onProgress?.(preview.summary.members, Math.max(total, preview.summary.members));
    }
    return preview;
  }

  async #compare(
    page: readonly CompanyMember[],
    entitlements: Entitlements,
    modes: { from: AccessPolicyMode; to: AccessPolicyMode },
  ): Promise<MemberPreviewView[]> {
    const rules = await this.#deps.rules.ofMemberships(page.map(({ membership }) => membership.id));
    return page.map((member) =>
      previewOf(member, rules.get(member.membership.id) ?? [], { entitlements, ...modes }),
    );
  }
}

/** Compares one member under both modes. A user who may not sign in holds no module, whatever the mode. */
function previewOf(
  { user, membership }: CompanyMember,
  rules: readonly DecidingRule[],
  under: { entitlements: Entitlements; from: AccessPolicyMode; to: AccessPolicyMode },
): MemberPreviewView {
  const claim = claimOfMember(membership, rules);
  const modulesUnder = (mode: AccessPolicyMode) =>
    maySignIn(user) ? effectiveUnder(mode, claim, under.entitlements) : [];
  const [before, after] = [modulesUnder(under.from), modulesUnder(under.to)];
  const { id: userId, email } = user;
  return { userId, email, role: membership.role, before, after, ...moduleDifference(before, after) };
}

const effectiveUnder = (accessPolicyMode: AccessPolicyMode, claim: ModuleClaim, entitlements: Entitlements) =>
  effectiveModules(claim, { ...entitlements, accessPolicyMode });

const isChanged = ({ gained, lost }: ModuleDifference): boolean => gained.length > 0 || lost.length > 0;

function count(member: ModuleDifference, summary: PolicyPreviewView['summary']): void {
  summary.members++;
  summary[isChanged(member) ? 'changed' : 'unchanged']++;
  if (member.gained.length > 0) summary.gaining++;
  if (member.lost.length > 0) summary.losing++;
}

const emptyPreview = (
  companyId: string,
  { modules, accessPolicyMode }: Entitlements,
  { from = accessPolicyMode, to }: PolicySwitch,
): PolicyPreviewView => ({
  companyId,
  currentMode: accessPolicyMode,
  from,
  to,
  entitledModules: [...modules].toSorted(),
  summary: { members: 0, barred: 0, unchanged: 0, changed: 0, gaining: 0, losing: 0 },
  members: [],
});
