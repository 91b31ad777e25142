import type { ApiKeyRevoker } from '../api-key-records/api-key-revoker.js';
import type { AuditEventName } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import { assertNotActing, type ActingParty } from '../kernel/acting-party.js';
import type { Actor } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { checkId } from '../kernel/uuid-input.js';
import type { Database, Transaction } from '../storage/database.js';
import type { AuthenticationLevel } from '../tokens/authentication-level.js';
import { assertMachineMayWriteTo } from '../users/machine-authority.js';
import type { UserRepository } from '../users/user-repository.js';
import { assertNotErased } from '../users/user.js';
import { unitOfAnother } from './business-unit.js';
import {
  assertMayEditMembership,
  assertMayManageCompany,
  lastCompanySuperadmin,
  TENANT_SUPERADMIN,
} from './company-authority.js';
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

/** A signed-in user who leaves a company, with their sign-in. */
export interface LeavingMember {
  userId: string;
  sessionId: string;
  authTime: number;
  amr: readonly string[];
  acr: AuthenticationLevel;
  act?: ActingParty | undefined;
}

interface MembershipServiceDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly membershipWrites: MembershipWriteRepository;
  readonly openInvitations: OpenInvitations;
  readonly apiKeyRevoker: ApiKeyRevoker;
  /** True: a role that a write names must be known. */
  readonly strictRoles: boolean;
  /** Requires a recent sign-in, with the second factor of those who have one. */
  readonly credentialStepUp: {
    assert(caller: LeavingMember, withoutFactor: 'sign-in'): Promise<void>;
  };
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
   * Ends the membership of the caller, with everything that depends on it.
   * @throws AuthError `reauthentication_required`, `forbidden` while an actor acts for the caller, `not_found` without an active
   * membership, `conflict` for the last `TENANT_SUPERADMIN` of the company.
   */
  async leave(
    caller: LeavingMember,
    companyId: string,
    client: ClientInfo = unknownClient,
  ): Promise<{ status: 'ok' }> {
    companyId = checkId(companyId, 'companyId');
    await this.#deps.credentialStepUp.assert(caller, 'sign-in');
    const change = { userId: caller.userId, companyId, isActive: false };
    const actor = { kind: 'user' as const, userId: caller.userId };
    return this.#deps.database.transaction(async (trx) => {
      await this.#deps.users.lock([caller.userId], trx);
      const locked = await this.#deps.membershipWrites.lock(companyId, [caller.userId], trx);
      const current = locked.get(caller.userId);
      if (!current?.isActive) throw AuthError.notFound('The membership', 'membership_not_found');
      await this.#assertLeavesSuperadmin(actor, { current, wanted: { role: '', isActive: false } }, trx);
      const held = await this.#deps.membershipWrites.readAuthority(current.id, trx);
      await this.#deps.membershipWrites.writeMembership(current, change, trx);
      await this.#deps.openInvitations.withdraw(caller.userId, { actor, client }, trx);
      const ended = { userId: caller.userId, companyId, reason: 'membership_ended', actor, client } as const;
      await this.#deps.apiKeyRevoker.revokeAllWithin(ended, trx);
      const details = { previous: authorityDetails(held) };
      await this.#record(
        'membership_left',
        { actor, companyId, userId: caller.userId, client, details },
        trx,
      );
      return { status: 'ok' };
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
    if (current) await this.#assertLeavesSuperadmin(actor, { current, wanted }, trx);
    return current;
  }

  /** Throws if a person would leave the company without a `TENANT_SUPERADMIN`. Machines may. */
  async #assertLeavesSuperadmin(
    actor: Actor,
    { current, wanted }: { current: MembershipState; wanted: Pick<MembershipState, 'role' | 'isActive'> },
    trx: Transaction,
  ): Promise<void> {
    if (actor.kind !== 'user') return;
    const isOne = ({ role, isActive }: typeof wanted) => isActive && role === TENANT_SUPERADMIN;
    if (!isOne(current) || isOne(wanted)) return;
    if (await this.#deps.membershipWrites.hasOtherSuperadmin(current, trx)) return;
    throw lastCompanySuperadmin();
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
