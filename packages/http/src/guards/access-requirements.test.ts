import { describe, expect, it } from 'vitest';
import type { AccessView } from '@latchkey/core';
import { assertHolds, readRequirements } from './access-requirements.js';

describe('readRequirements', () => {
  it.each([
    undefined,
    null,
    'invoices',
    [],
    {},
    { modul: 'invoices' },
    { module: 'invoices', roles: 'ADMIN' },
    { module: undefined },
    { module: 'invoices', permission: undefined },
    { module: '' },
    { module: 'two words' },
    { module: ['invoices'] },
    { permission: 7 },
    { role: [] },
    { role: 'admin' },
    { role: ['ADMIN', ''] },
  ])('readRequirements rejects %j', (requirements) => {
    expect(() => readRequirements(requirements)).toThrow(TypeError);
  });

  it('readRequirements names the fault and the correct call in its error', () => {
    expect(() => readRequirements({ modul: 'invoices' })).toThrow(
      /each with a value \(unknown: modul\)\. Write: app\.get\('\/path', requireAccess\(\{/,
    );
    expect(() => readRequirements('invoices')).toThrow('each with a value (an object is needed)');
  });

  it.each([
    { module: 'invoices' },
    { permission: 'invoices:write' },
    { role: 'ADMIN' },
    { role: ['ADMIN', 'ACCOUNTANT'] },
    { module: 'invoices', permission: 'invoices:write', role: 'ADMIN' },
  ])('readRequirements accepts %j', (requirements) => {
    expect(readRequirements(requirements)).toEqual(requirements);
  });
});

const access = (role: string | null): AccessView => ({
  modules: ['invoices'],
  permissions: ['invoices:write'],
  delegation: { canManageUsers: false, canBuyAddons: false, grantableModules: [], grantablePermissions: [] },
  metadata: {
    companyId: '11111111-1111-4111-8111-111111111111',
    userId: '22222222-2222-4222-8222-222222222222',
    role,
    globalRole: 'NONE',
    accessPolicyMode: 'LEGACY',
    businessUnitIds: [],
    entitledModules: ['invoices', 'payroll'],
    resolvedAt: '2026-01-01T00:00:00.000Z',
  },
});

describe('assertHolds', () => {
  it.each([
    { module: 'invoices' },
    { permission: 'invoices:write' },
    { role: 'ADMIN' },
    { role: ['OWNER', 'ADMIN'] },
    { module: 'invoices', permission: 'invoices:write', role: 'ADMIN' },
  ])('assertHolds accepts a member who meets %j', (requirements) => {
    expect(() => assertHolds(access('ADMIN'), requirements)).not.toThrow();
  });

  it.each([
    [{ module: 'payroll' }, 'module payroll'],
    [{ permission: 'invoices:delete' }, 'permission invoices:delete'],
    [{ role: 'OWNER' }, 'role OWNER'],
    [{ role: ['OWNER', 'AUDITOR'] }, 'role OWNER or AUDITOR'],
    [{ module: 'payroll', role: 'ADMIN' }, 'module payroll'],
    [{ module: 'invoices', role: 'OWNER' }, 'role OWNER'],
  ])('assertHolds rejects a member who does not meet %j, and names the %s', (requirements, missing) => {
    expect(() => assertHolds(access('ADMIN'), requirements)).toThrow(
      expect.objectContaining({ code: 'forbidden', message: `The ${missing} is required in this company.` }),
    );
  });

  it('assertHolds finds no role for a caller without a membership', () => {
    expect(() => assertHolds(access(null), { role: 'ADMIN' })).toThrow('role ADMIN');
  });
});
