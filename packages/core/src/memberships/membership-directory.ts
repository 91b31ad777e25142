import { checkInput } from '../kernel/check-input.js';
import { checkGrowingPage, growingPageInput, type GrowingPageInput } from '../kernel/page-input.js';
import { mapPage, type Page, type PageRequest, type SlicedPage } from '../kernel/page.js';
import { checkId } from '../kernel/uuid-input.js';
import type { CompanyMember, MemberWithUnits } from './member.js';
import { businessUnitInput, MAX_PEOPLE, memberFilter, type MemberFilterInput } from './membership-input.js';
import type { MembershipQueries } from './membership-queries.js';
import {
  toBusinessUnitUserView,
  toCompanyUserView,
  toMemberView,
  type BusinessUnitUserView,
  type CompanyUserView,
  type MemberView,
} from './membership-schema.js';

const memberSearch = memberFilter.strict();
const pageOfMembers = growingPageInput(MAX_PEOPLE);

/** Rows of a slice: few enough to be turned into text without delaying other requests noticeably. */
const SLICE_ROWS = 250;

/** Function that selects members of one page, in their order. */
export type MemberFilter<Member extends CompanyMember> = (members: Member[]) => Promise<Member[]>;

/** Reads the members of a company. The caller of the route decides who may read. */
export class MembershipDirectory {
  readonly #queries: MembershipQueries;

  constructor(queries: MembershipQueries) {
    this.#queries = queries;
  }

  /**
   * Returns active members of a company, newest first. `keep` works on the page after it was read: a page may
   * then have fewer rows than its limit, and the total counts all. `filter` works before, and the total counts those it finds.
   */
  async companyUsers(
    companyId: string,
    page: GrowingPageInput = {},
    keep?: MemberFilter<CompanyMember>,
    filter: MemberFilterInput = {},
  ): Promise<Page<CompanyUserView>> {
    companyId = checkId(companyId, 'companyId');
    const wanted = checkInput(memberSearch, filter, 'query');
    const read = await this.#queries.companyUsers(companyId, checkMemberPage(page), wanted);
    return mapPage(keep ? { ...read, items: await keep(read.items) } : read, toCompanyUserView);
  }

  /**
   * Like `companyUsers`, but reads the members slice by slice while the result is consumed, for lists of any length.
   * `keep` works on each slice. A member who joins or leaves meanwhile may be missing; none is listed twice.
   */
  async companyUsersInSlices(
    companyId: string,
    page: GrowingPageInput = {},
    keep?: MemberFilter<CompanyMember>,
    filter: MemberFilterInput = {},
  ): Promise<SlicedPage<CompanyUserView>> {
    companyId = checkId(companyId, 'companyId');
    const wanted = checkInput(memberSearch, filter, 'query');
    const slice = checkMemberPage(page);
    const read = await this.#queries.companyUsersInSlices(companyId, slice, SLICE_ROWS, wanted);
    return { ...read, slices: viewsOf(read.slices, toCompanyUserView, keep) };
  }

  /**
   * Returns all memberships of a company, active or not, with user and business units, newest first; `keep`
   * as above.
   */
  async companyMembers(
    companyId: string,
    page: GrowingPageInput = {},
    keep?: MemberFilter<MemberWithUnits>,
  ): Promise<Page<MemberView>> {
    companyId = checkId(companyId, 'companyId');
    const read = await this.#queries.companyMembers(companyId, checkMemberPage(page));
    return mapPage(keep ? { ...read, items: await keep(read.items) } : read, toMemberView);
  }

  /** Like `companyMembers`, but slice by slice as `companyUsersInSlices`. */
  async companyMembersInSlices(
    companyId: string,
    page: GrowingPageInput = {},
    keep?: MemberFilter<MemberWithUnits>,
  ): Promise<SlicedPage<MemberView>> {
    companyId = checkId(companyId, 'companyId');
    const read = await this.#queries.companyMembersInSlices(companyId, checkMemberPage(page), SLICE_ROWS);
    return { ...read, slices: viewsOf(read.slices, toMemberView, keep) };
  }

  /** Returns active members of a business unit, newest first. */
  async businessUnitUsers(
    businessUnit: { companyId: string; businessUnitId: string },
    page: GrowingPageInput = {},
  ): Promise<Page<BusinessUnitUserView>> {
    const unit = checkInput(businessUnitInput, businessUnit, 'path');
    return mapPage(
      await this.#queries.businessUnitUsers(unit, checkMemberPage(page)),
      toBusinessUnitUserView,
    );
  }

  /** Like `businessUnitUsers`, but slice by slice as `companyUsersInSlices`. */
  async businessUnitUsersInSlices(
    businessUnit: { companyId: string; businessUnitId: string },
    page: GrowingPageInput = {},
  ): Promise<SlicedPage<BusinessUnitUserView>> {
    const unit = checkInput(businessUnitInput, businessUnit, 'path');
    const read = await this.#queries.businessUnitUsersInSlices(unit, checkMemberPage(page), SLICE_ROWS);
    return { ...read, slices: viewsOf(read.slices, toBusinessUnitUserView) };
  }
}

const checkMemberPage = (page: GrowingPageInput): PageRequest => checkGrowingPage(page, pageOfMembers);

async function* viewsOf<Member, View>(
  slices: AsyncIterable<Member[]>,
  toView: (member: Member) => View,
  keep?: (members: Member[]) => Promise<Member[]>,
): AsyncGenerator<View[]> {
  for await (const slice of slices) yield (keep ? await keep(slice) : slice).map(toView);
}
