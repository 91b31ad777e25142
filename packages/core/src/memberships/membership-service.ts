import type { AuditEventName } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { Actor } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { checkId } from '../kernel/uuid-input.js';
import type { Database, Transaction } from '../storage/database.js';
import { assertMachineMayWriteTo } from '../users/machine-authority.js';
import type { UserRepository } from '../users/user-repository.js';
import { unitOfAnother } from './business-unit.js';
import { assertMayEditMembership, assertMayManageCompany } from './company-authority.js';
import { lockedEditor, type LockedRows } from './locked-editor.js';
import {
  businessUnitInput,
  businessUnitMembershipInput,
  companyMembershipInput,
  type BusinessUnitMembershipInput,
  type CompanyMembershipInput,
} from './membership-input.js';
import {
  toBusinessUnitMembershipView,
  toCompanyMembershipView,
  type BusinessUnitMembershipView,
  type CompanyMembershipView,
} from './membership-schema.js';
import type { MembershipWriteRepository } from './membership-write-repository.js';
import { rejoins, roleAfter } from './membership-write.js';
import type { BusinessUnitMembershipKey, CompanyMembershipChange, MembershipState } from './membership.js';
import type { OpenInvitations } from './open-invitations.js';
import {
  assertRaisesNothing,
  authorityDetails,
  raisesMembership,
  type MembershipAuthority,
} from './own-authority.js';

interface MembershipServiceDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly membershipWrites: MembershipWriteRepository;
  readonly openInvitations: OpenInvitations;
  readonly audit: AuditRepository;
}

/** Giving users their places in companies and business units. Decided and written in one transaction. */
export class MembershipService {
  readonly #deps: MembershipServiceDeps;

  constructor(deps: MembershipServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Adds or changes a user's place in a company; what the input leaves out stays, a list that is there replaces. One that
   * ends keeps neither finance role, approval limit nor rules; one that begins again starts from what the input names.
   * Open invitations that the user may no longer offer are cancelled.
   * @throws AuthError `validation_error`, `forbidden`, `not_found` for an unknown user.
   */
  async upsertCompany(
    actor: Actor,
    companyId: string,
    input: CompanyMembershipInput,
    client: ClientInfo = unknownClient,
  ): Promise<CompanyMembershipView> {
    companyId = checkId(companyId, 'companyId');
    const change = { ...checkInput(companyMembershipInput, input), companyId };
    return this.#deps.database.transaction(async (trx) => {
      const current = await this.#admit(actor, change, trx);
      const held = current && (await this.#deps.membershipWrites.readAuthority(current.id, trx));
      if (held && isOwn(actor, change)) assertRaisesNothing(raisesMembership(held, change));
      const membership = await this.#deps.membershipWrites.writeMembership(current, change, trx);
      if (current) await this.#deps.openInvitations.withdraw(change.userId, { actor, client }, trx);
      const { userId, companyId: _company, ...fields } = change;
      const event = current ? 'membership_updated' : 'membership_created';
      const details = { ...fields, ...(held && { previous: previousOf(held, change) }) };
      await this.#record(event, { actor, companyId, userId, client, details }, trx);
      return toCompanyMembershipView(membership);
    });
  }

  /**
   * Adds or changes a user's place in a business unit.
   * @throws AuthError `validation_error`, `forbidden`, `not_found` for an unknown user, `conflict` without an active
   * place in the company, and for a unit that another company has used first.
   */
  async upsertBusinessUnit(
    actor: Actor,
    businessUnit: { companyId: string; businessUnitId: string },
    input: BusinessUnitMembershipInput,
    client: ClientInfo = unknownClient,
  ): Promise<BusinessUnitMembershipView> {
    const { companyId, businessUnitId } = checkInput(businessUnitInput, businessUnit, 'path');
    const { userId, isActive } = checkInput(businessUnitMembershipInput, input);
    return this.#deps.database.transaction(async (trx) => {
      const current = await this.#admit(actor, { userId, companyId }, trx);
      if (!current?.isActive) {
        throw AuthError.conflict('The user has no active membership of the company.', 'membership_inactive');
      }
      const place = { userId, companyId, businessUnitId };
      await this.#assertUnitMayBeUsed(place, isActive, trx);
      const membership = await this.#deps.membershipWrites.writeBusinessUnit(place, isActive, trx);
      const details = { businessUnitId, isActive: membership.isActive };
      const about = { actor, companyId, userId, client, details };
      await this.#record('business_unit_membership_changed', about, trx);
      return toBusinessUnitMembershipView(membership);
    });
  }

  /**
   * Locks whom it concerns, users before places, and lets pass only who may make this of the member's place, which
   * it returns as it is.
   */
  async #admit(
    actor: Actor,
    change: CompanyMembershipChange,
    trx: Transaction,
  ): Promise<MembershipState | undefined> {
    const { userId, companyId } = change;
    const involved = actor.kind === 'user' ? [actor.userId, userId] : [userId];
    const users = await this.#deps.users.lock(involved, trx);
    const places = await this.#deps.membershipWrites.lock(companyId, involved, trx);
    const editor = editorOf(actor, { users, places });
    const member = users.get(userId);
    if (!member) throw AuthError.notFound('The user', 'user_not_found');
    assertMachineMayWriteTo(actor, member);
    const current = places.get(userId);
    const wanted = {
      role: roleAfter(current, change),
      isActive: change.isActive ?? current?.isActive ?? true,
    };
    if (editor) assertMayEditMembership(editor, { member, current, wanted });
    return current;
  }

  /** A unit that was used by two companies before this was refused can still be left by the second. */
  async #assertUnitMayBeUsed(
    place: BusinessUnitMembershipKey,
    isActive: boolean | undefined,
    trx: Transaction,
  ): Promise<void> {
    await this.#deps.membershipWrites.lockUnit(place.businessUnitId, trx);
    const owner = await this.#deps.membershipWrites.ownerOfUnit(place.businessUnitId, trx);
    if (owner === undefined || owner === place.companyId) return;
    if (isActive === false && (await this.#deps.membershipWrites.hasBusinessUnit(place, trx))) return;
    throw unitOfAnother();
  }

  async #record(
    event: AuditEventName,
    about: {
      actor: Actor;
      companyId: string;
      userId: string;
      client: ClientInfo;
      details: Record<string, unknown>;
    },
    trx: Transaction,
  ): Promise<void> {
    const { userId: subjectUserId, ...rest } = about;
    await this.#deps.audit.insert({ event, outcome: 'success', subjectUserId, ...rest }, trx);
  }
}

/** Undefined for machines and operators, whom no role binds. */
function editorOf(actor: Actor, locked: LockedRows) {
  if (actor.kind !== 'user') return undefined;
  const editor = lockedEditor(actor.userId, locked);
  assertMayManageCompany(editor);
  return editor;
}

const isOwn = (actor: Actor, { userId }: CompanyMembershipChange): boolean =>
  actor.kind === 'user' && actor.userId === userId;

/** The part of a membership that the audit log keeps as it was; what an end or a new start takes away is kept whole. */
function previousOf(held: MembershipAuthority, change: CompanyMembershipChange): Record<string, unknown> {
  const { role, isActive, approvalLimit } = held;
  if (change.isActive !== false && !rejoins(held, change)) return { role, isActive, approvalLimit };
  return authorityDetails(held);
}
