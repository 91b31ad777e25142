import type { AuditRepository } from '../audit/audit-repository.js';
import { actorLabel, type Actor } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { checkId } from '../kernel/uuid-input.js';
import type { Database, Transaction } from '../storage/database.js';
import { assertMachineMayWriteTo } from '../users/machine-authority.js';
import type { UserRepository } from '../users/user-repository.js';
import type { User } from '../users/user.js';
import { unitOfAnother } from './business-unit.js';
import { assertMayEditMembership, assertMayManageCompany } from './company-authority.js';
import type {
  FinanceChange,
  FinanceRepository,
  FinanceScope,
  LockedMemberships,
} from './finance-repository.js';
import { lockedEditor } from './locked-editor.js';
import {
  businessUnitFinanceInput,
  businessUnitMembershipKeyInput,
  companyApprovalLimitInput,
  companyFinanceInput,
  companyMembershipKeyInput,
  type BusinessUnitFinanceInput,
  type CompanyApprovalLimitInput,
  type CompanyFinanceInput,
} from './membership-input.js';
import {
  toBusinessUnitMembershipView,
  toCompanyMembershipView,
  type BusinessUnitMembershipView,
  type CompanyMembershipView,
} from './membership-schema.js';
import type { MembershipWriteRepository } from './membership-write-repository.js';
import type { BusinessUnitMembership, BusinessUnitMembershipKey, MembershipState } from './membership.js';
import { assertRaisesNothing, raisesFinance, type FinanceAuthority } from './own-authority.js';

/**
 * For whom a finance write is made.
 * @example
 * ```ts
 * const { id, companyId = '' } = await kit.user({ company: 'acme', role: 'ADMIN' });
 * const billing: FinanceActor = { userId: id, machine: { kind: 'machine', name: 'billing' } };
 * const place = { userId: id, companyId };
 * const limit = { approvalLimit: '250.00' };
 * const limited = await kit.auth.financeWorkflow.setApprovalLimit(billing, place, limit);
 * limited.approvalLimit; // → '250.00'
 * ```
 */
export interface FinanceActor {
  userId: string;
  /** The machine that writes in the user's name and has authorised them; without it the role table decides. */
  machine?: Actor;
}

/** Its user comes from a request, like the place. */
const checkActor = (actor: FinanceActor): FinanceActor => ({
  ...actor,
  userId: checkId(actor.userId, 'actor.userId'),
});

/**
 * Whose place in a company is meant.
 * @example
 * ```ts
 * const placeOf = (userId: string, companyId: string): CompanyMembershipKey => ({ userId, companyId });
 * const { id, companyId = '' } = await kit.user({ company: 'acme', role: 'ADMIN' });
 * const actor = { userId: id, machine: { kind: 'machine', name: 'billing' } } as const;
 * const place = placeOf(id, companyId);
 * const patched = await kit.auth.financeWorkflow.patchCompany(actor, place, { financeRole: 'APPROVER' });
 * patched.financeRole; // → 'APPROVER'
 * ```
 */
export type CompanyMembershipKey = Pick<BusinessUnitMembershipKey, 'userId' | 'companyId'>;

/** A write in the making: who, whom, what, from where. */
interface Write {
  actor: FinanceActor;
  place: CompanyMembershipKey & Partial<BusinessUnitMembershipKey>;
  change: FinanceChange;
  client: ClientInfo;
}

interface FinanceWorkflowDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly membershipWrites: MembershipWriteRepository;
  readonly finance: FinanceRepository;
  readonly audit: AuditRepository;
}

/**
 * The parts of members in the finance workflow: authority, approval limit, primary. Only places that exist and are
 * active change. Who becomes the primary takes the flag over within one transaction.
 */
export class FinanceWorkflow {
  readonly #deps: FinanceWorkflowDeps;

  constructor(deps: FinanceWorkflowDeps) {
    this.#deps = deps;
  }

  /**
   * @throws AuthError `validation_error`, `forbidden` by the actor's standing and for who raises their own part,
   * `not_found` when the user is no active member.
   */
  async patchCompany(
    actor: FinanceActor,
    place: CompanyMembershipKey,
    patch: CompanyFinanceInput,
    client: ClientInfo = unknownClient,
  ): Promise<CompanyMembershipView> {
    actor = checkActor(actor);
    place = checkInput(companyMembershipKeyInput, place, 'path');
    const { isPrimaryFinanceAdmin: isPrimary, ...fields } = checkInput(companyFinanceInput, patch);
    const write = { actor, place, change: { ...fields, isPrimary }, client };
    return this.#deps.database.transaction(async (trx) => {
      const { member, primaryUserId } = await this.#admit(write, { companyId: place.companyId }, trx);
      assertRaisesNothingOwn(write, { ...member, isPrimary: member.isPrimaryFinanceAdmin });
      await this.#deps.finance.updateCompany(place, write.change, trx);
      await this.#record(write, primaryUserId, trx);
      return toCompanyMembershipView(await this.#deps.membershipWrites.read(member.id, trx));
    });
  }

  /** The approval limit alone; null is unlimited. Throws like `patchCompany`. */
  async setApprovalLimit(
    actor: FinanceActor,
    place: CompanyMembershipKey,
    input: CompanyApprovalLimitInput,
    client: ClientInfo = unknownClient,
  ): Promise<CompanyMembershipView> {
    return this.patchCompany(actor, place, checkInput(companyApprovalLimitInput, input), client);
  }

  /**
   * @throws AuthError `validation_error`, `forbidden`, `not_found` when the user is no active member of the unit,
   * `conflict` when a primary approver would not be an `APPROVER`, and for a unit that another company has used first.
   */
  async patchBusinessUnit(
    actor: FinanceActor,
    place: BusinessUnitMembershipKey,
    patch: BusinessUnitFinanceInput,
    client: ClientInfo = unknownClient,
  ): Promise<BusinessUnitMembershipView> {
    actor = checkActor(actor);
    place = checkInput(businessUnitMembershipKeyInput, place, 'path');
    const { isPrimaryApprover: isPrimary, ...fields } = checkInput(businessUnitFinanceInput, patch);
    const write = { actor, place, change: { ...fields, isPrimary }, client };
    return this.#deps.database.transaction(async (trx) => {
      await this.#admit(write, place, trx);
      const { place: current, primaryUserId } = await this.#deps.finance.lockBusinessUnit(place, trx);
      if (!current?.isActive) throw AuthError.notFound('The active membership', 'membership_not_found');
      const owner = await this.#deps.membershipWrites.ownerOfUnit(place.businessUnitId, trx);
      if (owner !== place.companyId) throw unitOfAnother();
      assertRaisesNothingOwn(write, { ...current, isPrimary: current.isPrimaryApprover });
      assertPrimaryApproves(current, write.change);
      const membership = await this.#deps.finance.updateBusinessUnit(place, write.change, trx);
      await this.#record(write, primaryUserId, trx);
      return toBusinessUnitMembershipView(membership);
    });
  }

  /**
   * Locks in the order that every write keeps: users, the scope when its primary moves, places. Lets pass only who
   * may change the part of an active member of the company.
   */
  async #admit(
    { actor, place, change }: Write,
    { companyId, businessUnitId }: FinanceScope,
    trx: Transaction,
  ): Promise<{ member: MembershipState; primaryUserId: string | undefined }> {
    const involved = [actor.userId, place.userId];
    const users = await this.#deps.users.lock(involved, trx);
    if (change.isPrimary) await this.#deps.finance.lockScope({ companyId, businessUnitId }, trx);
    const locked = await this.#deps.finance.lockCompany(companyId, involved, trx);
    const member = locked.places.get(place.userId);
    assertActor(actor, place.userId, { users, ...locked });
    if (!member?.isActive) throw AuthError.notFound('The active membership', 'membership_not_found');
    return { member, primaryUserId: locked.primaryUserId };
  }

  async #record(
    { actor, place, change, client }: Write,
    primaryUserId: string | undefined,
    trx: Transaction,
  ): Promise<void> {
    const moves = change.isPrimary === true && primaryUserId !== place.userId;
    await this.#deps.audit.insert(
      {
        event: 'finance_changed',
        outcome: 'success',
        actor: { kind: 'user', userId: actor.userId },
        subjectUserId: place.userId,
        companyId: place.companyId,
        client,
        details: {
          ...change,
          businessUnitId: place.businessUnitId,
          ...(actor.machine && { writtenBy: actorLabel(actor.machine) }),
          ...(moves && { previousPrimaryUserId: primaryUserId ?? null }),
        },
      },
      trx,
    );
  }
}

/** A machine has weighed the actor's role itself; that the actor still belongs to the company is for us to see. */
function assertActor(
  actor: FinanceActor,
  memberId: string,
  locked: LockedMemberships & { users: ReadonlyMap<string, User> },
): void {
  const standing = lockedEditor(actor.userId, locked);
  const [member, current] = [locked.users.get(memberId), locked.places.get(memberId)];
  if (actor.machine) {
    if (!standing.membership?.isActive) throw AuthError.forbidden();
    if (member) assertMachineMayWriteTo(actor.machine, member);
    return;
  }
  assertMayManageCompany(standing);
  if (member && current) assertMayEditMembership(standing, { member, current, wanted: current });
}

/** Machines decide for their actors; people do not raise their own part. */
function assertRaisesNothingOwn({ actor, place, change }: Write, current: FinanceAuthority): void {
  if (actor.machine || actor.userId !== place.userId) return;
  assertRaisesNothing(raisesFinance(current, change));
}

/** A primary approver must be an approver, also when the authority is taken away later. */
function assertPrimaryApproves(current: BusinessUnitMembership, change: FinanceChange): void {
  const isPrimary = change.isPrimary ?? current.isPrimaryApprover;
  const financeRole = change.financeRole === undefined ? current.financeRole : change.financeRole;
  if (isPrimary && financeRole !== 'APPROVER') {
    throw AuthError.conflict('A primary approver must be an APPROVER.', 'primary_approver_role');
  }
}
