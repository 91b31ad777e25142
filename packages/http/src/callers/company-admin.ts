import {
  AuthError,
  mayInvite,
  mayListCompany,
  mayManageCompany,
  type Administrator,
  type CompanyAuthority,
  type SignedInMember,
} from '@latchkey/core';
import { isUuid } from '@latchkey/core/schemas';
import type { Caller, CallerRequest } from './caller.js';
import { signedInMember } from './signed-in.js';
import { administratorOf, assertStaffLevel } from './staff.js';

/** A signed-in user with their authority in the company of the path. */
export type CompanyAdministrator = Extract<Administrator, { kind: 'user' }> & CompanyAuthority;

/**
 * Allows platform staff and administrators of the company in the path. Writes decide again on the rows they lock. Staff act by
 * their role, with the level that it requires; all others act by their membership, with the level that the company requires.
 */
const companyCaller = (allows: (authority: CompanyAuthority) => boolean): Caller<CompanyAdministrator> => ({
  security: 'bearer',
  failures: ['second_factor_required'],
  identify: async (request) => withMembership(request, await signedInMember.identify(request)),
  permit: async (administrator, request) => {
    const { companyId = '' } = request.params;
    // An id that is not a UUID belongs to no company; input validation reports it.
    const namesCompany = isUuid(companyId);
    if (namesCompany && !allows(administrator)) throw AuthError.forbidden();
    assertStaffLevel(administrator, request);
    const actsByRole = allows({ ...administrator, membership: undefined });
    if (namesCompany && !actsByRole) {
      await request.auth.access.assertLevel(administrator.signIn ?? {}, companyId);
    }
  },
  actorOf: (administrator) => administrator,
});

/** Callers who may list the members of a company. */
export const companyReader = companyCaller(mayListCompany);

/**
 * Callers who may manage the API keys of a company: those who may invite to it. The use case requires the level that the company
 * requires, and decides again on the rows it locks, by what the caller may offer.
 */
export const companyKeyManager: Caller<SignedInMember> = {
  ...signedInMember,
  failures: ['second_factor_required'],
  permit: (caller, request) => {
    const { companyId = '' } = request.params;
    assertStaffLevel(administratorOf(caller), request);
    if (isUuid(companyId) && !mayInvite(inviterOf(caller, companyId))) throw AuthError.forbidden();
  },
};

const inviterOf = ({ userId, globalRole, memberships }: SignedInMember, companyId: string) => ({
  userId,
  globalRole,
  membership: memberships.companies.find((each) => each.companyId === companyId.toLowerCase()),
});

/** Callers who may change the memberships of a company. */
export const companyAdministrator = companyCaller(mayManageCompany);

function withMembership({ params }: CallerRequest, member: SignedInMember): CompanyAdministrator {
  const companyId = params.companyId?.toLowerCase();
  const membership = member.memberships.companies.find((each) => each.companyId === companyId);
  return { ...administratorOf(member), membership };
}
