import type { AuditLog, AuditSlice } from '../audit/audit-log.js';
import type { AuditEntryView, CompanyAuditEntryView, CompanyAuditFilter } from '../audit/audit-schema.js';
import type { CursorPage } from '../kernel/cursor-page.js';
import { checkId } from '../kernel/uuid-input.js';
import type { MembershipQueries } from './membership-queries.js';

type KnownMember = Awaited<ReturnType<MembershipQueries['knownMembers']>>[number];

/** Reads the audit log of one company for its administrators. The caller of the route decides who may read. */
export class CompanyActivity {
  readonly #deps;

  constructor(deps: {
    readonly auditLog: AuditLog;
    readonly membershipQueries: Pick<MembershipQueries, 'knownMembers'>;
  }) {
    this.#deps = deps;
  }

  /**
   * Returns the entries of a company like `AuditLog.list`, with the names of its members. Network addresses and browsers are those of
   * members in sessions of their own: never of platform staff, of machines or of users outside the company.
   * @throws AuthError `validation_error`, also for a cursor that is not ours.
   */
  async list(
    companyId: string,
    filter: CompanyAuditFilter = {},
    slice: AuditSlice = {},
  ): Promise<CursorPage<CompanyAuditEntryView>> {
    companyId = checkId(companyId, 'companyId');
    const page = await this.#deps.auditLog.list({ ...filter, companyId, ipAddress: undefined }, slice);
    const members = await this.#membersIn(companyId, page.items);
    return { ...page, items: page.items.map((entry) => viewOf(entry, members)) };
  }

  async #membersIn(
    companyId: string,
    entries: readonly AuditEntryView[],
  ): Promise<ReadonlyMap<string, KnownMember>> {
    const ids = entries.flatMap(({ actorUserId, subjectUserId }) => [actorUserId, subjectUserId]);
    const named = [...new Set(ids.filter((id) => id !== null))];
    const members = named.length > 0 ? await this.#deps.membershipQueries.knownMembers(companyId, named) : [];
    return new Map(members.map((member) => [member.userId, member]));
  }
}

function viewOf(entry: AuditEntryView, members: ReadonlyMap<string, KnownMember>): CompanyAuditEntryView {
  const actor = members.get(entry.actorUserId ?? '');
  const subject = members.get(entry.subjectUserId ?? '');
  return {
    ...entry,
    ...(!isOwnWorkOf(actor, entry) && { ipAddress: null, userAgent: null }),
    actorName: actor?.name ?? null,
    subjectName: subject?.name ?? null,
  };
}

/** Reports whether the request of an entry came from a member: neither from staff nor from one who acted for a member. */
const isOwnWorkOf = (
  actor: KnownMember | undefined,
  { actedByUserId, actedByName }: AuditEntryView,
): boolean => actor?.isStaff === false && actedByUserId === null && actedByName === null;
