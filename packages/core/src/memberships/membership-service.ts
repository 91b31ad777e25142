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
import { assertMayEditMembership, assertMayManageCompany } from './company-authority.js';
import { standingOf, type LockedRows } from './current-standing.js';
import type { MembershipState } from './membership.js';
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

const DEFAULT_ROLE = 'MEMBER';

/** Giving users their places in companies and business units. Decided and written in one transaction. */
export class MembershipService {
  readonly #database: Database;
  readonly #users: UserRepository;
  readonly #places: MembershipWriteRepository;
  readonly #audit: AuditRepository;

  constructor(parts: {
    database: Database;
    users: UserRepository;
    membershipWrites: MembershipWriteRepository;
    audit: AuditRepository;
  }) {
    this.#database = parts.database;
    this.#users = parts.users;
    this.#places = parts.membershipWrites;
    this.#audit = parts.audit;
  }

  /**
   * Adds or changes a user's place in a company; what the input leaves out stays, a list that is there replaces.
   * @throws AuthError `validation_error`, `forbidden`, `not_found` for an unknown user.
   */
  async upsertCompany(
    actor: Actor,
    companyId: string,
    input: CompanyMembershipInput,
    client: ClientInfo = unknownClient,
  ): Promise<CompanyMembershipView> {
    companyId = checkId(companyId, 'companyId');
    const wanted = checkInput(companyMembershipInput, input);
    return this.#database.transaction(async (trx) => {
      const current = await this.#admit(actor, companyId, wanted, trx);
      const membership = await this.#places.writeMembership({ ...wanted, companyId }, trx);
      const { userId, ...fields } = wanted;
      const event = current ? 'membership_updated' : 'membership_created';
      const details = { ...fields, ...(current && { previous: placeOf(current) }) };
      await this.#record(event, { actor, companyId, userId, client, details }, trx);
      return toCompanyMembershipView(membership);
    });
  }

  /**
   * Adds or changes a user's place in a business unit.
   * @throws AuthError `validation_error`, `forbidden`, `not_found` for an unknown user, `conflict` without an active
   * place in the company.
   */
  async upsertBusinessUnit(
    actor: Actor,
    businessUnit: { companyId: string; businessUnitId: string },
    input: BusinessUnitMembershipInput,
    client: ClientInfo = unknownClient,
  ): Promise<BusinessUnitMembershipView> {
    const { companyId, businessUnitId } = checkInput(businessUnitInput, businessUnit, 'path');
    const { userId, isActive } = checkInput(businessUnitMembershipInput, input);
    return this.#database.transaction(async (trx) => {
      const current = await this.#admit(actor, companyId, { userId }, trx);
      if (!current?.isActive) {
        throw AuthError.conflict('The user has no active membership of the company.');
      }
      const place = { userId, companyId, businessUnitId };
      const membership = await this.#places.writeBusinessUnit(place, isActive, trx);
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
    companyId: string,
    input: Pick<CompanyMembershipInput, 'userId' | 'role' | 'isActive'>,
    trx: Transaction,
  ): Promise<MembershipState | undefined> {
    const involved = actor.kind === 'user' ? [actor.userId, input.userId] : [input.userId];
    const users = await this.#users.lock(involved, trx);
    const places = await this.#places.lock(companyId, involved, trx);
    const editor = editorOf(actor, { users, places });
    const member = users.get(input.userId);
    if (!member) throw AuthError.notFound('The user');
    assertMachineMayWriteTo(actor, member);
    const current = places.get(input.userId);
    const wanted = {
      role: input.role ?? current?.role ?? DEFAULT_ROLE,
      isActive: input.isActive ?? current?.isActive ?? true,
    };
    if (editor) assertMayEditMembership(editor, { member, current, wanted });
    return current;
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
    await this.#audit.insert({ event, outcome: 'success', subjectUserId, ...rest }, trx);
  }
}

/** Undefined for machines and operators, whom no role binds. */
function editorOf(actor: Actor, locked: LockedRows) {
  if (actor.kind !== 'user') return undefined;
  const editor = standingOf(actor.userId, locked);
  assertMayManageCompany(editor);
  return editor;
}

const placeOf = ({ role, isActive, approvalLimit }: MembershipState) => ({ role, isActive, approvalLimit });
