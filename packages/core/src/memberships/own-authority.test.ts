import { describe, expect, it } from 'vitest';
import type { CompanyMembershipChange, ModuleRule } from './membership.js';
import { raisesFinance, raisesMembership } from './own-authority.js';

describe('a change of the finance workflow', () => {
  const submitter = { financeRole: 'SUBMITTER', approvalLimit: '100.50', isPrimary: false } as const;
  const NO_AUTHORITY = { financeRole: null, approvalLimit: '0', isPrimary: false } as const;
  const CHIEF = { financeRole: 'APPROVER', approvalLimit: null, isPrimary: true } as const;

  it.each([
    ['the role', { financeRole: 'APPROVER' }],
    ['the limit', { approvalLimit: '100.5001' }],
    ['the limit by a digit', { approvalLimit: '1000' }],
    ['the limit to unlimited', { approvalLimit: null }],
    ['the primary flag', { isPrimary: true }],
    ['one thing while it lowers another', { financeRole: null, approvalLimit: '101' }],
  ] as const)('a finance change can raise %s', (_what, change) => {
    expect(raisesFinance(submitter, change)).toBe(true);
  });

  it.each([
    ['names nothing', {}],
    ['keeps everything', { financeRole: 'SUBMITTER', approvalLimit: '100.50', isPrimary: false }],
    ['writes the same limit differently', { approvalLimit: '0100.5' }],
    ['lowers the limit', { approvalLimit: '99.9999' }],
    ['gives the role up', { financeRole: null }],
  ] as const)('a finance change that %s raises nothing', (_what, change) => {
    expect(raisesFinance(submitter, change)).toBe(false);
  });

  it('any finance role raises a member without one', () => {
    expect(raisesFinance(NO_AUTHORITY, { financeRole: 'SUBMITTER' })).toBe(true);
  });

  it('a member with full finance authority cannot be raised, only lowered', () => {
    for (const change of [
      CHIEF,
      NO_AUTHORITY,
      { financeRole: 'SUBMITTER', approvalLimit: '999999999999999.9999' },
    ] as const) {
      expect(raisesFinance(CHIEF, change)).toBe(false);
    }
  });

  it('limits are compared digit by digit, however long they are', () => {
    const current = { ...submitter, approvalLimit: '999999999999998.9999' };
    expect(raisesFinance(current, { approvalLimit: '999999999999999' })).toBe(true);
    expect(raisesFinance(current, { approvalLimit: '999999999999998.9998' })).toBe(false);
  });
});

describe('a change of a membership', () => {
  const rule = (moduleKey: string, more: Partial<ModuleRule> = {}): ModuleRule => ({
    moduleKey,
    effect: 'GRANT',
    source: 'MEMBER',
    ...more,
  });
  const TEAM = rule('venues', { source: 'TEAM', teamId: 't1' });
  const DENIED = rule('tickets', { effect: 'DENY' });
  const held = {
    approvalLimit: '100',
    moduleGrants: ['events', 'billing'],
    permissionGrants: ['bill.read', 'bill.pay'],
    delegation: {
      canManageUsers: false,
      canBuyAddons: true,
      grantableModules: ['events'],
      grantablePermissions: ['bill.read'],
    },
    moduleRules: [rule('events'), rule('billing'), TEAM, DENIED],
  };
  const raises = (change: Partial<CompanyMembershipChange>) =>
    raisesMembership(held, { userId: 'u', companyId: 'c', ...change });

  it.each<[string, Partial<CompanyMembershipChange>]>([
    ['a module grant', { moduleGrants: ['events', 'payroll'] }],
    ['the modules by giving up the last grant', { moduleGrants: [] }],
    ['a permission', { permissionGrants: ['bill.read', 'bill.write'] }],
    ['the right to manage users', { delegation: { canManageUsers: true } }],
    ['the modules to hand on', { delegation: { grantableModules: ['events', 'billing'] } }],
    ['the permissions to hand on', { delegation: { grantablePermissions: ['bill.pay'] } }],
    ['the limit', { approvalLimit: null }],
    ['a GRANT rule', { moduleRules: [...held.moduleRules, rule('payroll')] }],
    [
      'the GRANT rule of another team',
      { moduleRules: [DENIED, rule('venues', { source: 'TEAM', teamId: 't2' })] },
    ],
    ['a DENY rule by leaving it out', { moduleRules: [rule('events'), TEAM] }],
  ])('a membership change can raise %s', (_what, change) => {
    expect(raises(change)).toBe(true);
  });

  it.each<[string, Partial<CompanyMembershipChange>]>([
    ['names nothing', {}],
    ['keeps everything in another order', { ...held, moduleRules: held.moduleRules.toReversed() }],
    ['gives up a grant', { moduleGrants: ['events'] }],
    ['gives up all permissions', { permissionGrants: [] }],
    [
      'gives up the delegation',
      { delegation: { canBuyAddons: false, grantableModules: [], grantablePermissions: [] } },
    ],
    ['lowers the limit', { approvalLimit: '99' }],
    ['adds a DENY rule', { moduleRules: [...held.moduleRules, rule('events', { effect: 'DENY' })] }],
    ['gives up every GRANT rule', { moduleRules: [DENIED] }],
  ])('a membership change that %s raises nothing', (_what, change) => {
    expect(raises(change)).toBe(false);
  });

  it('repeating a grant whose rule was removed restores the rule, which raises the membership', () => {
    const withoutRule = { ...held, moduleRules: [DENIED] };
    const change = { userId: 'u', companyId: 'c', moduleGrants: ['events'] };
    expect(raisesMembership(withoutRule, change)).toBe(true);
  });
});
