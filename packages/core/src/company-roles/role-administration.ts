import type { AuditEventName } from '../audit/audit-event.js';
import type { AuditRepository } from '../audit/audit-repository.js';
import { assertNotActing } from '../kernel/acting-party.js';
import type { Actor } from '../kernel/actor.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { checkId } from '../kernel/uuid-input.js';
import { fieldError } from '../kernel/validation-error.js';
import {
  assertMayManageCompany,
  mayEditMembership,
  type MembershipEditor,
} from '../memberships/company-authority.js';
import { lockedEditor } from '../memberships/locked-editor.js';
import { membershipRoleInput } from '../memberships/membership-input.js';
import type { MembershipWriteRepository } from '../memberships/membership-write-repository.js';
import type { OpenInvitations } from '../memberships/open-invitations.js';
import { assertRaisesNothing, raisesRole } from '../memberships/own-authority.js';
import type { Database, Transaction } from '../storage/database.js';
import { assertMachineMayWriteTo } from '../users/machine-authority.js';
import type { UserRepository } from '../users/user-repository.js';
import type { CompanyRoleRepository, RoleScope } from './company-role-repository.js';
import {
  contentsOf,
  roleFile,
  roleInput,
  roleRemovalInput,
  roleTime,
  toRoleView,
  type ListedRoleView,
  type RemovedRoleView,
  type RoleFile,
  type RoleInput,
  type RoleRemovalInput,
  type RoleView,
  type SavedRoleView,
} from './company-role-schema.js';
import {
  assertDefinable,
  MOST_ROLES,
  roleDifference,
  roleNotFound,
  type CompanyRole,
} from './company-role.js';

/** A change of a definition: who makes it, and from what to what. */
interface RoleEdit extends RoleScope {
  actor: Actor;
  client: ClientInfo;
  /** The definition in effect before and after the change, whether of the company or a template. */
  before: CompanyRole | undefined;
  after: Pick<CompanyRole, 'modules' | 'permissions' | 'delegation'> | undefined;
  /** The role that members get. */
  moveTo?: string | undefined;
}

/** The changes that writing a definition would make. */
interface RoleComparison extends ReturnType<typeof roleDifference> {
  key: string;
  change: 'created' | 'updated' | 'unchanged';
  /** The definition to write. */
  input: RoleInput;
}

interface RoleAdministrationDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly companyRoles: CompanyRoleRepository;
  readonly membershipWrites: MembershipWriteRepository;
  readonly openInvitations: OpenInvitations;
  readonly audit: AuditRepository;
}

/**
 * Defines roles of companies, and templates for all of them (`companyId` null). A change has an effect at the next request of each
 * member, and counts as a change of every membership with the role. `RoleService` requires a recent sign-in of people before.
 */
export class RoleAdministration {
  readonly #deps: RoleAdministrationDeps;

  constructor(deps: RoleAdministrationDeps) {
    this.#deps = deps;
  }

  /** Returns the definitions in effect in a company: its own and the templates that it does not replace. Null: all templates. */
  async list(companyId: string | null): Promise<ListedRoleView[]> {
    companyId = checkCompany(companyId);
    const roles = await this.#deps.companyRoles.list(companyId);
    const counts = await this.#deps.companyRoles.countListed(
      companyId,
      roles.map(({ key }) => key),
    );
    return roles.map((role) => ({ ...toRoleView(role), members: counts.get(role.key) ?? 0 }));
  }

  /**
   * Returns what writing these definitions would change; writes nothing. Roles that the file does not name are left out.
   * @throws AuthError `validation_error`, `conflict` for a reserved key.
   */
  async compare(companyId: string | null, file: RoleFile): Promise<RoleComparison[]> {
    companyId = checkCompany(companyId);
    const { roles } = checkInput(roleFile, file, 'file');
    const found = await this.#deps.companyRoles.list(companyId);
    return roles.map(({ key, ...wanted }) => {
      assertDefinable(key);
      const own = found.find((role) => role.key === key && role.companyId === companyId);
      const contents = contentsOf(wanted);
      const change = own ? (isSame(own, contents) ? 'unchanged' : 'updated') : 'created';
      return { key, change, ...roleDifference(own, contents), input: wanted };
    });
  }

  /**
   * Returns the definition in effect, of the company or by a template, now or at a time.
   * @throws AuthError `not_found`, also if the revision of that time was deleted.
   */
  async at(role: RoleScope, time?: string): Promise<RoleView> {
    const scope = checkScope(role);
    const date = checkInput(roleTime, time, 'time');
    const find = (of: RoleScope) =>
      date ? this.#deps.companyRoles.findAt(of, date) : this.#deps.companyRoles.find(of);
    const found = (await find(scope)) ?? (await find({ ...scope, companyId: null }));
    if (!found) throw roleNotFound();
    return toRoleView(found);
  }

  /**
   * Defines a role, or replaces its definition. Open invitations that offer more than their inviter may give then are cancelled.
   * @throws AuthError `validation_error`; `forbidden` for users who may not change a membership with the role, and who would raise
   * their own; `conflict` for the reserved roles, for more than 100 and for a version that is no longer in effect.
   */
  async save(
    actor: Actor,
    role: RoleScope,
    input: RoleInput,
    client: ClientInfo = unknownClient,
  ): Promise<SavedRoleView> {
    const scope = checkScope(role);
    const { version, ...checked } = checkInput(roleInput, input);
    assertDefinable(scope.key);
    assertNotActing(client, actor);
    const contents = contentsOf(checked);
    return this.#deps.database.transaction(async (trx) => {
      const editor = await this.#lock(actor, scope, trx);
      const own = await this.#deps.companyRoles.find(scope, trx);
      if (version !== undefined && version !== own?.version) throw changedMeanwhile();
      if (own && isSame(own, contents)) return { ...toRoleView(own), isNew: false };
      const before = own ?? (await this.#template(scope, trx));
      const edit: RoleEdit = { ...scope, actor, client, before, after: contents };
      await this.#assertMayEdit(editor, edit, trx);
      if (!own) await this.#assertBelowLimit(scope, trx);
      const saved = own
        ? await this.#deps.companyRoles.update(own, contents, trx)
        : await this.#deps.companyRoles.insert(scope, contents, trx);
      await this.#deps.openInvitations.withdrawOfRoles(
        { ...scope, keys: [scope.key] },
        { actor, client },
        trx,
      );
      await this.#record(own ? 'role_updated' : 'role_created', edit, { name: saved.name }, trx);
      return { ...toRoleView(saved), isNew: !own };
    });
  }

  /**
   * Removes a definition. Members of a company's own one get that of the template; without a template they and open invitations get
   * the role of `moveTo` in the same transaction, and without that role invitations are cancelled.
   * @throws AuthError `not_found`; `conflict` with the reason `role_in_use` while members have it and nothing replaces it;
   * `forbidden` as `save`.
   */
  async remove(
    actor: Actor,
    role: RoleScope,
    input: RoleRemovalInput = {},
    client: ClientInfo = unknownClient,
  ): Promise<RemovedRoleView> {
    const scope = checkScope(role);
    const { moveTo } = checkInput(roleRemovalInput, input);
    if (moveTo === scope.key) throw fieldError('moveTo', 'format', 'must be another role');
    assertNotActing(client, actor);
    return this.#deps.database.transaction(async (trx) => {
      const editor = await this.#lock(actor, scope, trx);
      const own = await this.#deps.companyRoles.find(scope, trx);
      if (!own) throw roleNotFound();
      const after = moveTo === undefined ? await this.#template(scope, trx) : undefined;
      const edit: RoleEdit = { ...scope, actor, client, before: own, after, moveTo };
      await this.#assertMayEdit(editor, edit, trx);
      const members = await this.#deps.companyRoles.countMembers(scope, trx);
      if (!after && moveTo === undefined && members > 0) throw inUse(members);
      const moved = await this.#move(edit, trx);
      if (!after) await this.#deps.openInvitations.leaveRole({ ...scope, moveTo }, { actor, client }, trx);
      await this.#record('role_removed', edit, { name: own.name, members }, trx);
      await this.#deps.companyRoles.remove(own, trx);
      const keys = [scope.key, ...(moveTo === undefined ? [] : [moveTo])];
      await this.#deps.openInvitations.withdrawOfRoles({ ...scope, keys }, { actor, client }, trx);
      return { moved };
    });
  }

  /**
   * Locks the editor, then the roles, then the editor's membership: rights that were taken away while the request was running no
   * longer count.
   * @returns undefined for machines and operators. @throws AuthError `forbidden`.
   */
  async #lock(
    actor: Actor,
    { companyId }: RoleScope,
    trx: Transaction,
  ): Promise<MembershipEditor | undefined> {
    const users = actor.kind === 'user' ? await this.#deps.users.lock([actor.userId], trx) : undefined;
    await this.#deps.membershipWrites.lockRoles(companyId, trx);
    if (actor.kind !== 'user' || !users) return undefined;
    const memberships =
      companyId === null
        ? new Map<string, never>()
        : await this.#deps.membershipWrites.lock(companyId, [actor.userId], trx);
    const editor = lockedEditor(actor.userId, { users, memberships });
    assertMayManageCompany(editor);
    return editor;
  }

  /** Returns the template that applies where a company has no definition. */
  async #template({ companyId, key }: RoleScope, trx: Transaction): Promise<CompanyRole | undefined> {
    if (companyId === null) return undefined;
    return this.#deps.companyRoles.find({ companyId: null, key }, trx);
  }

  /** Throws unless the editor may change every membership with the role this way. */
  async #assertMayEdit(
    editor: MembershipEditor | undefined,
    edit: RoleEdit,
    trx: Transaction,
  ): Promise<void> {
    const { actor, key, moveTo } = edit;
    if (editor) await this.#assertRaisesNothing(editor, edit, trx);
    // Members without a role on the platform are in reach of every editor, whatever their number.
    const staff = await this.#deps.companyRoles.staffMembers(edit, trx);
    for (const member of staff) assertMachineMayWriteTo(actor, member);
    if (!editor) return;
    const some = { id: '', globalRole: 'NONE' as const };
    const current = { role: key, isActive: true };
    const wanted = { role: moveTo ?? key, isActive: true };
    const others = staff.filter(({ id }) => id !== editor.userId);
    if (![some, ...others].every((member) => mayEditMembership(editor, { member, current, wanted })))
      throw AuthError.forbidden();
  }

  async #assertRaisesNothing(editor: MembershipEditor, edit: RoleEdit, trx: Transaction): Promise<void> {
    const held = await this.#deps.companyRoles.membershipsOf(editor.userId, edit, trx);
    // No user decides on their own role.
    const raises = held.some((membership) => edit.moveTo !== undefined || raisesRole(membership, edit.after));
    assertRaisesNothing(raises);
  }

  async #assertBelowLimit({ companyId }: RoleScope, trx: Transaction): Promise<void> {
    if ((await this.#deps.companyRoles.count(companyId, trx)) < MOST_ROLES) return;
    throw AuthError.conflict(
      `There are ${MOST_ROLES} roles already. Remove one that is not used.`,
      'role_limit_reached',
    );
  }

  /** Gives members the other role. @returns their number. */
  async #move({ companyId, key, moveTo, actor, client }: RoleEdit, trx: Transaction): Promise<number> {
    if (moveTo === undefined) return 0;
    const moved = await this.#deps.membershipWrites.moveRole({ companyId, key, moveTo }, trx);
    await this.#deps.audit.insertAll(
      moved.map(({ userId, companyId: company }) => ({
        event: 'membership_updated',
        outcome: 'success',
        actor,
        subjectUserId: userId,
        companyId: company,
        client,
        details: { role: moveTo, previous: { role: key }, by: 'role_removed' },
      })),
      trx,
    );
    return moved.length;
  }

  async #record(
    event: AuditEventName,
    { companyId, key, actor, client, before, after, moveTo }: RoleEdit,
    { name, members }: { name: string; members?: number },
    trx: Transaction,
  ): Promise<void> {
    const details = {
      key,
      name,
      ...roleDifference(before, after),
      members: members ?? (await this.#deps.companyRoles.countMembers({ companyId, key }, trx)),
      ...(moveTo !== undefined && { movedTo: moveTo }),
    };
    await this.#deps.audit.insert(
      { event, outcome: 'success', actor, client, companyId: companyId ?? undefined, details },
      trx,
    );
  }
}

const checkCompany = (companyId: string | null): string | null =>
  companyId === null ? null : checkId(companyId, 'companyId');

export const checkScope = ({ companyId, key }: RoleScope): RoleScope => ({
  companyId: checkCompany(companyId),
  key: checkInput(membershipRoleInput, key, 'key'),
});

const isSame = (
  { name, description, modules, permissions, delegation }: CompanyRole,
  wanted: ReturnType<typeof contentsOf>,
): boolean => {
  const { canManageUsers, canBuyAddons, grantableModules, grantablePermissions } = delegation;
  const sorted = { canManageUsers, canBuyAddons, grantableModules, grantablePermissions };
  const now = { name, description, modules, permissions, delegation: sorted };
  return JSON.stringify(now) === JSON.stringify(wanted);
};

const changedMeanwhile = (): AuthError =>
  AuthError.conflict('The role changed meanwhile. Read it again, then repeat the change.', 'role_changed');

const inUse = (members: number): AuthError =>
  AuthError.conflict(
    `${members === 1 ? '1 member has' : `${members} members have`} this role. Name the role they get in moveTo.`,
    'role_in_use',
  );
