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

const pageOfPeople = pageInput(MAX_PEOPLE);

/**
 * Chooses among the members of one page, in their order.
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

/** Reading the people of a company. Who may read is decided by the route's caller. */
export class MembershipDirectory {
  readonly #lists: MembershipQueries;

  constructor(lists: MembershipQueries) {
    this.#lists = lists;
  }

  /**
   * Active members of a company, newest first. `keep` works on the page once it is fetched: a page may then hold
   * fewer rows than its limit, and the total counts all.
   */
  async companyUsers(
    companyId: string,
    page: PageInput = {},
    keep?: MemberFilter<CompanyMember>,
  ): Promise<Page<CompanyUserView>> {
    companyId = checkId(companyId, 'companyId');
    const { items, total } = await this.#lists.companyUsers(companyId, checkPage(page, pageOfPeople));
    const kept = keep ? await keep(items) : items;
    return { items: kept.map(toCompanyUserView), total };
  }

  /** All memberships of a company, active or not, with user and business units, newest first; `keep` as above. */
  async companyMembers(
    companyId: string,
    page: PageInput = {},
    keep?: MemberFilter<MemberWithUnits>,
  ): Promise<Page<MemberView>> {
    companyId = checkId(companyId, 'companyId');
    const { items, total } = await this.#lists.companyMembers(companyId, checkPage(page, pageOfPeople));
    const kept = keep ? await keep(items) : items;
    return { items: kept.map(toMemberView), total };
  }

  /** Active members of a business unit, newest first. */
  async businessUnitUsers(
    businessUnit: { companyId: string; businessUnitId: string },
    page: PageInput = {},
  ): Promise<Page<BusinessUnitUserView>> {
    const unit = checkInput(businessUnitInput, businessUnit, 'path');
    const { items, total } = await this.#lists.businessUnitUsers(unit, checkPage(page, pageOfPeople));
    return { items: items.map(toBusinessUnitUserView), total };
  }
}
