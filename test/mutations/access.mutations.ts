import type { Mutation } from './mutation.js';

export const accessMutations: readonly Mutation[] = [
  {
    promise: 'A module that the company is not entitled to is not effective, whatever was granted.',
    defect: 'entitlements do not cap modules',
    file: 'packages/core/src/access/effective-modules.ts',
    from: "modules.has(moduleKey) ? moduleReasonOf(moduleKey, claim, accessPolicyMode) : 'not_entitled'",
    to: "modules.size >= 0 ? moduleReasonOf(moduleKey, claim, accessPolicyMode) : 'not_entitled'",
  },
  {
    promise:
      'A core service that fails, lies or changes its format never widens access. Its key is sent to it alone.',
    defect: 'redirects of the core service are followed',
    file: 'packages/core/src/access/entitlements.http.ts',
    from: "redirect: 'manual'",
    to: "redirect: 'follow'",
  },
  {
    promise:
      'A core service that fails, lies or changes its format never widens access. Its key is sent to it alone.',
    defect: 'an unknown policy mode counts as LEGACY',
    file: 'packages/core/src/access/entitlements-answer.ts',
    from: ".default('LEGACY')",
    to: ".catch('LEGACY').default('LEGACY')",
  },
  {
    promise:
      'Each company role changes exactly the members it may, and no member their own role. Permissions withdrawn meanwhile do not count.',
    defect: 'an ADMIN reaches a TENANT_SUPERADMIN',
    file: 'packages/core/src/memberships/company-authority.ts',
    from: 'return current?.role !== TENANT_SUPERADMIN && wanted.role !== TENANT_SUPERADMIN;',
    to: 'return wanted.role !== TENANT_SUPERADMIN;',
  },
  {
    promise: 'An invitation, new or resent, cannot grant more than its inviter may grant.',
    defect: 'the offer is not checked again under lock',
    file: 'packages/core/src/invitations/invitation-service.ts',
    from: '      assertMayOffer(parties.caller(caller.userId), invitation);\n',
    to: '',
  },
  {
    promise: 'An invitation, new or resent, cannot grant more than its inviter may grant.',
    defect: 'a delegate grants modules of others',
    file: 'packages/core/src/invitations/invitation.ts',
    from: 'isSubset(modules, own?.grantableModules ?? []) &&',
    to: 'modules.length >= 0 &&',
  },
  {
    promise:
      'An invitation is accepted once, by its recipient, and changes no password. Its token is in the mail and nowhere else.',
    defect: 'anybody who is signed in accepts',
    file: 'packages/core/src/invitations/invitation-acceptance.ts',
    from: 'if (caller && caller.user.email !== invitation.email)',
    to: "if (caller && caller.user.email === '')",
  },
  {
    promise:
      'A company has at most one Primary Finance Admin and a unit at most one primary approver at any time. The audit log names who changed it.',
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
