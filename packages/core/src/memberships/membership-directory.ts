import { checkInput } from '../kernel/check-input.js';
import { checkPage, pageInput, type PageInput } from '../kernel/page-input.js';
import type { Page } from '../kernel/page.js';
import { checkId } from '../kernel/uuid-input.js';
import type { CompanyMember, MemberWithUnits } from './member.js';
import { businessUnitInput, MAX_PEOPLE } from './membership-input.js';
import type { MembershipQueries } from './membership-queries.js';
import {
  toBusinessUnitUserView,
  toCompanyUserView,
  toMemberView,
  type BusinessUnitUserView,
  type CompanyUserView,
  type MemberView,
} from './membership-schema.js';

const pageOfMembers = pageInput(MAX_PEOPLE);

/**
 * Function that selects members of one page, in their order.
 * @example
 * ```ts
 * const { companyId = '' } = await kit.user({ company: 'filtered', role: 'ADMIN' });
 * await kit.user({ company: 'filtered' });
 * const admins: MemberFilter<CompanyMember> = async (members) =>
 *   Promise.resolve(members.filter(({ membership }) => membership.role === 'ADMIN'));
 * (await kit.auth.members.companyUsers(companyId, {}, admins)).items.length; // → 1
 * ```
 */
export type MemberFilter<Member extends CompanyMember> = (members: Member[]) => Promise<Member[]>;

/** Reads the members of a company. The caller of the route decides who may read. */
export class MembershipDirectory {
  readonly #queries: MembershipQueries;

  constructor(queries: MembershipQueries) {
    this.#queries = queries;
  }

  /**
   * Returns active members of a company, newest first. `keep` works on the page after it was read: a page may
   * then have fewer rows than its limit, and the total counts all.
   */
  async companyUsers(
    companyId: string,
    page: PageInput = {},
    keep?: MemberFilter<CompanyMember>,
  ): Promise<Page<CompanyUserView>> {
    companyId = checkId(companyId, 'companyId');
    const { items, total } = await this.#queries.companyUsers(companyId, checkPage(page, pageOfMembers));
    const kept = keep ? await keep(items) : items;
    return { items: kept.map(toCompanyUserView), total };
  }

  /**
   * Returns all memberships of a company, active or not, with user and business units, newest first; `keep`
   * as above.
   */
  async companyMembers(
    companyId: string,
    page: PageInput = {},
    keep?: MemberFilter<MemberWithUnits>,
  ): Promise<Page<MemberView>> {
    companyId = checkId(companyId, 'companyId');
    const { items, total } = await this.#queries.companyMembers(companyId, checkPage(page, pageOfMembers));
    const kept = keep ? await keep(items) : items;
    return { items: kept.map(toMemberView), total };
  }

  /** Returns active members of a business unit, newest first. */
  async businessUnitUsers(
    businessUnit: { companyId: string; businessUnitId: string },
    page: PageInput = {},
  ): Promise<Page<BusinessUnitUserView>> {
    const unit = checkInput(businessUnitInput, businessUnit, 'path');
    const { items, total } = await this.#queries.businessUnitUsers(unit, checkPage(page, pageOfMembers));
    return { items: items.map(toBusinessUnitUserView), total };
  }
}
