import {
  AuthError,
  mayInvite,
  mayListCompany,
  mayManageCompany,
  type Administrator,
  type CompanyAuthority,
  type ErrorCode,
  type SignedInMember,
} from '@latchkey/core';
import { isUuid } from '@latchkey/core/schemas';
import type { Caller, CallerRequest } from './caller.js';
import { signedInMember } from './signed-in.js';
import { administratorOf, assertStaffLevel } from './staff.js';

/** A signed-in user with their authority in the company of the path. */
export type CompanyAdministrator = Extract<Administrator, { kind: 'user' }> & CompanyAuthority;

/** The refusal of users outside of the company in the path of a route. */
type OutsiderRefusal = 'forbidden' | 'not_found';

/**
 * Returns the refusal of a user without the authority. One who has neither an active membership nor a role on the platform may get the
 * answer of a company that does not exist; nothing is read that differs between the two.
 */
function refusalOf({ globalRole, membership }: CompanyAuthority, outsiders: OutsiderRefusal): AuthError {
  const isOutside = membership === undefined && globalRole === 'NONE';
  return isOutside && outsiders === 'not_found'
    ? AuthError.notFound('The company', 'company_not_found')
    : AuthError.forbidden();
}

/**
 * Allows platform staff and administrators of the company in the path. Writes decide again on the rows they lock. Staff act by
 * their role, with the level that it requires; all others act by their membership, with the level that the company requires.
 */
const companyCaller = (
  allows: (authority: CompanyAuthority) => boolean,
  outsiders: OutsiderRefusal,
): Caller<CompanyAdministrator> => ({
  security: 'bearer',
  failures: failuresOf(outsiders),
  identify: async (request) => withMembership(request, await signedInMember.identify(request)),
  permit: async (administrator, request) => {
    const { companyId = '' } = request.params;
    // An id that is not a UUID belongs to no company; input validation reports it.
    const namesCompany = isUuid(companyId);
    if (namesCompany && !allows(administrator)) throw refusalOf(administrator, outsiders);
    assertStaffLevel(administrator, request);
    const actsByRole = allows({ ...administrator, membership: undefined });
    if (namesCompany && !actsByRole) {
      await request.auth.access.assertLevel(administrator.signIn ?? {}, companyId);
    }
  },
  actorOf: (administrator) => administrator,
});

const failuresOf = (outsiders: OutsiderRefusal): ErrorCode[] => [
  'second_factor_required',
  ...(outsiders === 'not_found' ? [outsiders] : []),
];

/** Callers who may list the members of a company. Users outside of it get 404. */
export const companyReader = companyCaller(mayListCompany, 'not_found');

/** Callers who may change the memberships of a company. Users outside of it get 404. */
export const companyAdministrator = companyCaller(mayManageCompany, 'not_found');

/** The callers of the routes of memberships, which refuse users outside of the company by 403, as their specification says. */
export const membershipCallers = {
  list: companyCaller(mayListCompany, 'forbidden'),
  write: companyCaller(mayManageCompany, 'forbidden'),
};

/**
 * Callers who may manage the API keys of a company: those who may invite to it. The use case requires the level that the company
 * requires, and decides again on the rows it locks, by what the caller may offer.
 */
export const companyKeyManager: Caller<SignedInMember> = {
  ...signedInMember,
  failures: failuresOf('not_found'),
  permit: (caller, request) => {
    const { companyId = '' } = request.params;
    assertStaffLevel(administratorOf(caller), request);
    const inviter = inviterOf(caller, companyId);
    if (isUuid(companyId) && !mayInvite(inviter)) throw refusalOf(inviter, 'not_found');
  },
};

const inviterOf = ({ userId, globalRole, memberships }: SignedInMember, companyId: string) => ({
  userId,
  globalRole,
  membership: memberships.companies.find((each) => each.companyId === companyId.toLowerCase()),
});

function withMembership({ params }: CallerRequest, member: SignedInMember): CompanyAdministrator {
  const companyId = params.companyId?.toLowerCase();
  const membership = member.memberships.companies.find((each) => each.companyId === companyId);
  return { ...administratorOf(member), membership };
}
