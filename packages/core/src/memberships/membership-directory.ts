import type { Page, PageRequest } from '../kernel/page.js';
import type { CompanyMember, MemberWithUnits } from './member.js';
import type { MembershipListRepository } from './membership-list-repository.js';
import {
  toBusinessUnitUserView,
  toCompanyUserView,
  toMemberView,
  type BusinessUnitUserView,
  type CompanyUserView,
  type MemberView,
} from './membership-schema.js';

/** Chooses among the members of one page, in their order. */
export type MemberFilter<Member extends CompanyMember> = (members: Member[]) => Promise<Member[]>;

/** Reading the people of a company. Who may read is decided by the route's caller. */
export class MembershipDirectory {
  readonly #lists: MembershipListRepository;

  constructor(lists: MembershipListRepository) {
    this.#lists = lists;
  }

  /**
   * Active members of a company, newest first. `keep` works on the page once it is fetched: a page may then hold
   * fewer rows than its limit, and the total counts all.
   */
  async companyUsers(
    companyId: string,
    page: PageRequest,
    keep?: MemberFilter<CompanyMember>,
  ): Promise<Page<CompanyUserView>> {
    const { items, total } = await this.#lists.companyUsers(companyId, page);
    const kept = keep ? await keep(items) : items;
    return { items: kept.map(toCompanyUserView), total };
  }

  /** All memberships of a company, active or not, with user and business units, newest first; `keep` as above. */
  async companyMembers(
    companyId: string,
    page: PageRequest,
    keep?: MemberFilter<MemberWithUnits>,
  ): Promise<Page<MemberView>> {
    const { items, total } = await this.#lists.companyMembers(companyId, page);
    const kept = keep ? await keep(items) : items;
    return { items: kept.map(toMemberView), total };
  }

  /** Active members of a business unit, newest first. */
  async businessUnitUsers(
    businessUnit: { companyId: string; businessUnitId: string },
    page: PageRequest,
  ): Promise<Page<BusinessUnitUserView>> {
    const { items, total } = await this.#lists.businessUnitUsers(businessUnit, page);
    return { items: items.map(toBusinessUnitUserView), total };
  }
}
