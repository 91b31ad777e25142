import type { ApiKeyRevoker } from '../api-key-records/api-key-revoker.js';
import type { AuditEventName } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import { assertNotActing } from '../kernel/acting-party.js';
import type { Actor } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { checkId } from '../kernel/uuid-input.js';
import type { Database, Transaction } from '../storage/database.js';
import { assertMachineMayWriteTo } from '../users/machine-authority.js';
import type { UserRepository } from '../users/user-repository.js';
import { assertNotErased } from '../users/user.js';
import { unitOfAnother } from './business-unit.js';
import { assertMayEditMembership, assertMayManageCompany } from './company-authority.js';
import { assertRoleKnown } from './known-role.js';
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
  readonly apiKeyRevoker: ApiKeyRevoker;
  /** True: a role that a write names must be known. */
  readonly strictRoles: boolean;
  readonly audit: AuditRepository;
}

/**
 * Creates and changes memberships of companies and business units. Each change is decided and written in one
 * transaction.
 */
export class MembershipService {
  readonly #deps: MembershipServiceDeps;

  constructor(deps: MembershipServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Creates or changes a company membership; omitted fields stay, a given list replaces the stored one. A
   * membership that ends keeps neither finance role, approval limit nor rules; one that becomes active again
   * starts from the fields of the input. Open invitations that the user may no longer offer are cancelled. The user's API keys for the
   * company end with the membership.
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
    assertNotActing(client, actor);
    return this.#deps.database.transaction(async (trx) => {
      const current = await this.#lockForChange(actor, change, trx);
      await assertRoleKnown(change, this.#deps, trx);
      const held = current && (await this.#deps.membershipWrites.readAuthority(current.id, trx));
      if (held && isOwn(actor, change)) assertRaisesNothing(raisesMembership(held, change));
      const membership = await this.#deps.membershipWrites.writeMembership(current, change, trx);
      if (current) await this.#deps.openInvitations.withdraw(change.userId, { actor, client }, trx);
      if (!membership.isActive) {
        const ended = {
          userId: change.userId,
          companyId,
          reason: 'membership_ended',
          actor,
          client,
        } as const;
        await this.#deps.apiKeyRevoker.revokeAllWithin(ended, trx);
      }
      const { userId, companyId: _company, ...fields } = change;
      const event = current ? 'membership_updated' : 'membership_created';
      const details = { ...fields, ...(held && { previous: previousOf(held, change) }) };
      await this.#record(event, { actor, companyId, userId, client, details }, trx);
      return toCompanyMembershipView(membership);
    });
  }

  /**
   * Creates or changes a business-unit membership.
   * @throws AuthError `validation_error`, `forbidden`, `not_found` for an unknown user, `conflict` without an
   * active membership of the company, and for a unit that another company has used first.
   */
  async upsertBusinessUnit(
    actor: Actor,
    businessUnit: { companyId: string; businessUnitId: string },
    input: BusinessUnitMembershipInput,
    client: ClientInfo = unknownClient,
  ): Promise<BusinessUnitMembershipView> {
    const { companyId, businessUnitId } = checkInput(businessUnitInput, businessUnit, 'path');
    const { userId, isActive } = checkInput(businessUnitMembershipInput, input);
    assertNotActing(client, actor);
    return this.#deps.database.transaction(async (trx) => {
      const current = await this.#lockForChange(actor, { userId, companyId }, trx);
      if (!current?.isActive) {
        throw AuthError.conflict('The user has no active membership of the company.', 'membership_inactive');
      }
      const key = { userId, companyId, businessUnitId };
      await this.#assertUnitMayBeUsed(key, isActive, trx);
      const membership = await this.#deps.membershipWrites.writeBusinessUnit(key, isActive, trx);
      const details = { businessUnitId, isActive: membership.isActive };
      const about = { actor, companyId, userId, client, details };
      await this.#record('business_unit_membership_changed', about, trx);
      return toBusinessUnitMembershipView(membership);
    });
  }

  /**
   * Locks users, then memberships, and throws unless the actor may make the change.
   * @returns the current membership.
   */
  async #lockForChange(
    actor: Actor,
    change: CompanyMembershipChange,
    trx: Transaction,
  ): Promise<MembershipState | undefined> {
    const { userId, companyId } = change;
    const involved = actor.kind === 'user' ? [actor.userId, userId] : [userId];
    const users = await this.#deps.users.lock(involved, trx);
    const memberships = await this.#deps.membershipWrites.lock(companyId, involved, trx);
    const editor = editorOf(actor, { users, memberships });
    const member = users.get(userId);
    if (!member) throw AuthError.notFound('The user', 'user_not_found');
    assertMachineMayWriteTo(actor, member);
    assertNotErased(member);
    const current = memberships.get(userId);
    const wanted = {
      role: roleAfter(current, change),
      isActive: change.isActive ?? current?.isActive ?? true,
    };
    if (editor) assertMayEditMembership(editor, { member, current, wanted });
    return current;
  }

  /**
   * Throws if the unit belongs to another company. The second company of a unit that was shared before this
   * rule can still leave it.
   */
  async #assertUnitMayBeUsed(
    key: BusinessUnitMembershipKey,
    isActive: boolean | undefined,
    trx: Transaction,
  ): Promise<void> {
    await this.#deps.membershipWrites.lockUnit(key.businessUnitId, trx);
    const owner = await this.#deps.membershipWrites.ownerOfUnit(key.businessUnitId, trx);
    if (owner === undefined || owner === key.companyId) return;
    if (isActive === false && (await this.#deps.membershipWrites.hasBusinessUnit(key, trx))) return;
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

/** Returns the editor; undefined for machines and operators, which need no role. */
function editorOf(actor: Actor, locked: LockedRows) {
  if (actor.kind !== 'user') return undefined;
  const editor = lockedEditor(actor.userId, locked);
  assertMayManageCompany(editor);
  return editor;
}

const isOwn = (actor: Actor, { userId }: CompanyMembershipChange): boolean =>
  actor.kind === 'user' && actor.userId === userId;

/**
 * Returns the previous values for the audit log; all of them when the membership ends or becomes active
 * again.
 */
function previousOf(held: MembershipAuthority, change: CompanyMembershipChange): Record<string, unknown> {
  const { role, isActive, approvalLimit } = held;
  if (change.isActive !== false && !rejoins(held, change)) return { role, isActive, approvalLimit };
  return authorityDetails(held);
}
