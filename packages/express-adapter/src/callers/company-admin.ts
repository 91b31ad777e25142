import {
  AuthError,
  mayListCompany,
  mayManageCompany,
  type Administrator,
  type CompanyAuthority,
  type SignedInMember,
} from '@latchkey/core';
import { isUuid } from '@latchkey/core/schemas';
import type { Caller, CallerRequest } from './caller.js';
import { signedInMember } from './signed-in.js';

/** A signed-in person with what decides on them in the company of the path. */
export type CompanyAdministrator = Extract<Administrator, { kind: 'user' }> & CompanyAuthority;

/** Platform staff, and administrators of the company in the path. Writes decide again on the rows they lock. */
const ofCompany = (allows: (standing: CompanyAuthority) => boolean): Caller<CompanyAdministrator> => ({
  security: 'bearer',
  identify: async (request) => standingIn(request, await signedInMember.identify(request)),
  permit: (administrator, { params }) => {
    // What is no UUID is nobody's company; the check of the input says so.
    const { companyId = '' } = params;
    if (isUuid(companyId) && !allows(administrator)) throw AuthError.forbidden();
  },
  actorOf: (administrator) => administrator,
});

/** Who may list a company's people. */
export const companyReader = ofCompany(mayListCompany);

/** Who may change a company's memberships. */
export const companyAdministrator = ofCompany(mayManageCompany);

function standingIn({ params }: CallerRequest, member: SignedInMember): CompanyAdministrator {
  const companyId = params.companyId?.toLowerCase();
  const { userId, globalRole, memberships } = member;
  const membership = memberships.companies.find((place) => place.companyId === companyId);
  return { kind: 'user', userId, globalRole, membership };
}
