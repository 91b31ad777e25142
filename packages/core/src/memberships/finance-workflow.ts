import type { AuditRepository } from '../audit/audit-repository.js';
import { assertNotActing, type ActingParty } from '../kernel/acting-party.js';
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

/** The user in whose name a finance write is made. */
export interface FinanceActor {
  userId: string;
  /**
   * The machine that writes in the user's name and has authorised them; without it the role table decides.
   */
  machine?: Actor;
  /** Who acts in the session in the name of the user: the caller of a route has it. */
  act?: ActingParty | undefined;
}

/** Checks the user id of the actor, which comes from a request. */
const checkActor = (actor: FinanceActor): FinanceActor => ({
  ...actor,
  userId: checkId(actor.userId, 'actor.userId'),
});

/** The key of a company membership: user and company. */
export type CompanyMembershipKey = Pick<BusinessUnitMembershipKey, 'userId' | 'companyId'>;

/** A finance write: actor, membership, change and client. */
interface FinanceWrite {
  actor: FinanceActor;
  key: CompanyMembershipKey & Partial<BusinessUnitMembershipKey>;
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
 * Manages the finance fields of memberships: role, approval limit, primary. Only active memberships are
 * changed. A new primary takes the flag over within one transaction.
 */
export class FinanceWorkflow {
  readonly #deps: FinanceWorkflowDeps;

  constructor(deps: FinanceWorkflowDeps) {
    this.#deps = deps;
  }

  /**
   * Changes the finance fields of a company membership.
   * @throws AuthError `validation_error`, `forbidden` by the actor's role and for actors who raise their own
   * authority, `not_found` when the user is no active member.
   */
  async patchCompany(
    actor: FinanceActor,
    key: CompanyMembershipKey,
    patch: CompanyFinanceInput,
    client: ClientInfo = unknownClient,
  ): Promise<CompanyMembershipView> {
    actor = checkActor(actor);
    key = checkInput(companyMembershipKeyInput, key, 'path');
    const { isPrimaryFinanceAdmin: isPrimary, ...fields } = checkInput(companyFinanceInput, patch);
    const write = { actor, key, change: { ...fields, isPrimary }, client };
    return this.#deps.database.transaction(async (trx) => {
      const { member, primaryUserId } = await this.#lockMember(write, { companyId: key.companyId }, trx);
      assertRaisesNothingOwn(write, { ...member, isPrimary: member.isPrimaryFinanceAdmin });
      await this.#deps.finance.updateCompany(key, write.change, trx);
      await this.#record(write, primaryUserId, trx);
      return toCompanyMembershipView(await this.#deps.membershipWrites.read(member.id, trx));
    });
  }

  /** Sets the approval limit alone; null is unlimited. Throws like `patchCompany`. */
  async setApprovalLimit(
    actor: FinanceActor,
    key: CompanyMembershipKey,
    input: CompanyApprovalLimitInput,
    client: ClientInfo = unknownClient,
  ): Promise<CompanyMembershipView> {
    return this.patchCompany(actor, key, checkInput(companyApprovalLimitInput, input), client);
  }

  /**
   * Changes the finance fields of a business-unit membership.
   * @throws AuthError `validation_error`, `forbidden`, `not_found` when the user is no active member of the
   * unit, `conflict` when a primary approver would not be an `APPROVER`, and for a unit that another company
   * has used first.
   */
  async patchBusinessUnit(
    actor: FinanceActor,
    key: BusinessUnitMembershipKey,
    patch: BusinessUnitFinanceInput,
    client: ClientInfo = unknownClient,
  ): Promise<BusinessUnitMembershipView> {
    actor = checkActor(actor);
    key = checkInput(businessUnitMembershipKeyInput, key, 'path');
    const { isPrimaryApprover: isPrimary, ...fields } = checkInput(businessUnitFinanceInput, patch);
    const write = { actor, key, change: { ...fields, isPrimary }, client };
    return this.#deps.database.transaction(async (trx) => {
      await this.#lockMember(write, key, trx);
      const { membership: current, primaryUserId } = await this.#deps.finance.lockBusinessUnit(key, trx);
      if (!current?.isActive) throw AuthError.notFound('The active membership', 'membership_not_found');
      const owner = await this.#deps.membershipWrites.ownerOfUnit(key.businessUnitId, trx);
      if (owner !== key.companyId) throw unitOfAnother();
      assertRaisesNothingOwn(write, { ...current, isPrimary: current.isPrimaryApprover });
      assertPrimaryApproves(current, write.change);
      const membership = await this.#deps.finance.updateBusinessUnit(key, write.change, trx);
      await this.#record(write, primaryUserId, trx);
      return toBusinessUnitMembershipView(membership);
    });
  }

  /**
   * Locks the rows of the write, in the order of every write: users, the scope when its primary moves,
   * memberships. Throws unless the actor may change the finance fields of an active member of the company.
   */
  async #lockMember(
    { actor, key, change, client }: FinanceWrite,
    { companyId, businessUnitId }: FinanceScope,
    trx: Transaction,
  ): Promise<{ member: MembershipState; primaryUserId: string | undefined }> {
    assertNotActing(client, actor);
    const involved = [actor.userId, key.userId];
    const users = await this.#deps.users.lock(involved, trx);
    if (change.isPrimary) await this.#deps.finance.lockScope({ companyId, businessUnitId }, trx);
    const locked = await this.#deps.finance.lockCompany(companyId, involved, trx);
    const member = locked.memberships.get(key.userId);
    assertActor(actor, key.userId, { users, ...locked });
    if (!member?.isActive) throw AuthError.notFound('The active membership', 'membership_not_found');
    return { member, primaryUserId: locked.primaryUserId };
  }

  async #record(
    { actor, key, change, client }: FinanceWrite,
    primaryUserId: string | undefined,
    trx: Transaction,
  ): Promise<void> {
    const moves = change.isPrimary === true && primaryUserId !== key.userId;
    await this.#deps.audit.insert(
      {
        event: 'finance_changed',
        outcome: 'success',
        actor: { kind: 'user', userId: actor.userId },
        subjectUserId: key.userId,
        companyId: key.companyId,
        client,
        details: {
          ...change,
          businessUnitId: key.businessUnitId,
          ...(actor.machine && { writtenBy: actorLabel(actor.machine) }),
          ...(moves && { previousPrimaryUserId: primaryUserId ?? null }),
        },
      },
      trx,
    );
  }
}

/**
 * Throws unless the actor may make the write. Machines authorise the actor themselves; we only check that the
 * actor is still an active member.
 */
function assertActor(
  actor: FinanceActor,
  memberId: string,
  locked: LockedMemberships & { users: ReadonlyMap<string, User> },
): void {
  const editor = lockedEditor(actor.userId, locked);
  const [member, current] = [locked.users.get(memberId), locked.memberships.get(memberId)];
  if (actor.machine) {
    if (!editor.membership?.isActive) throw AuthError.forbidden();
    if (member) assertMachineMayWriteTo(actor.machine, member);
    return;
  }
  assertMayManageCompany(editor);
  if (member && current) assertMayEditMembership(editor, { member, current, wanted: current });
}

/** Throws if a user raises their own authority; machines decide for their actors themselves. */
function assertRaisesNothingOwn({ actor, key, change }: FinanceWrite, current: FinanceAuthority): void {
  if (actor.machine || actor.userId !== key.userId) return;
  assertRaisesNothing(raisesFinance(current, change));
}

/** Throws unless a primary approver stays an approver, also when the role is taken away later. */
function assertPrimaryApproves(current: BusinessUnitMembership, change: FinanceChange): void {
  const isPrimary = change.isPrimary ?? current.isPrimaryApprover;
  const financeRole = change.financeRole === undefined ? current.financeRole : change.financeRole;
  if (isPrimary && financeRole !== 'APPROVER') {
    throw AuthError.conflict('A primary approver must be an APPROVER.', 'primary_approver_role');
  }
}
