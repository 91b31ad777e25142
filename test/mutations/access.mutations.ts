import type { Mutation } from './mutation.js';

export const accessMutations: readonly Mutation[] = [
  {
    promise: 'A module that the company is not entitled to is out, whatever anybody was granted.',
    defect: 'entitlements do not cap modules',
    file: 'packages/core/src/access/effective-modules.ts',
    from: "modules.has(moduleKey) ? reasonOf(moduleKey, claim, accessPolicyMode) : 'not_entitled'",
    to: "modules.size >= 0 ? reasonOf(moduleKey, claim, accessPolicyMode) : 'not_entitled'",
  },
  {
    promise:
      'A core service that fails, lies or changes its shape never widens what somebody may use, and its key goes to it alone.',
    defect: 'redirects of the core service are followed',
    file: 'packages/core/src/access/entitlements.http.ts',
    from: "redirect: 'manual'",
    to: "redirect: 'follow'",
  },
  {
    promise:
      'A core service that fails, lies or changes its shape never widens what somebody may use, and its key goes to it alone.',
    defect: 'an unknown policy mode counts as LEGACY',
    file: 'packages/core/src/access/entitlements-answer.ts',
    from: ".default('LEGACY')",
    to: ".catch('LEGACY').default('LEGACY')",
  },
  {
    promise:
      'In a company each role changes exactly whom it may, nobody their own role; rights that were taken away meanwhile decide nothing.',
    defect: 'an ADMIN reaches a TENANT_SUPERADMIN',
    file: 'packages/core/src/memberships/company-authority.ts',
    from: 'return current?.role !== TENANT_SUPERADMIN && wanted.role !== TENANT_SUPERADMIN;',
    to: 'return wanted.role !== TENANT_SUPERADMIN;',
  },
  {
    promise: 'Nobody invites with more than they may give, also when sending anew.',
    defect: 'the offer is not checked again under lock',
    file: 'packages/core/src/invitations/invitation-service.ts',
    from: '      assertMayOffer(parties.caller(caller.userId), invitation);\n',
    to: '',
  },
  {
    promise: 'Nobody invites with more than they may give, also when sending anew.',
    defect: 'a delegate grants modules of others',
    file: 'packages/core/src/invitations/invitation.ts',
    from: '    isSubset(offer.moduleGrants, own?.grantableModules ?? []) &&\n',
    to: '',
  },
  {
    promise:
      'An invitation is accepted once and by whom it is for, and touches no password; its token stands in the mail and nowhere else.',
    defect: 'anybody who is signed in accepts',
    file: 'packages/core/src/invitations/invitation-acceptance.ts',
    from: 'if (caller && caller.user.email !== invitation.email)',
    to: "if (caller && caller.user.email === '')",
  },
  {
    promise:
      'A company has one Primary Finance Admin at most, a unit one primary approver, at every moment; the audit log names who moved it.',
    defect: 'the former primary keeps the flag',
    file: 'packages/core/src/memberships/finance-repository.ts',
    from: '    if (isPrimary) {\n',
    to: '    if (isPrimary === false) {\n',
  },
  {
    promise: 'The finance database is only read.',
    defect: 'the finance database is opened for writing',
    file: 'packages/core/src/compose/infrastructure.ts',
    from: '    readOnly: true,\n',
    to: '',
  },
];
