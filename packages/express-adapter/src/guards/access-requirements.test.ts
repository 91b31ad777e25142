import { describe, expect, it } from 'vitest';
import type { AccessView } from '@latchkey/core';
import { assertHolds, readRequirements } from './access-requirements.js';

describe('needs', () => {
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
  ])('%j are refused when the app is put together', (needs) => {
    expect(() => readRequirements(needs)).toThrow(TypeError);
  });

  it('that are refused are told with the fault and the right line', () => {
    expect(() => readRequirements({ modul: 'invoices' })).toThrow(
      /modul.*app\.get\('\/path', requireAccess\(\{/,
    );
  });

  it.each([
    { module: 'invoices' },
    { permission: 'invoices:write' },
    { role: 'ADMIN' },
    { role: ['ADMIN', 'ACCOUNTANT'] },
    { module: 'invoices', permission: 'invoices:write', role: 'ADMIN' },
  ])('%j are taken', (needs) => {
    expect(readRequirements(needs)).toEqual(needs);
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

describe('an access', () => {
  it.each([
    { module: 'invoices' },
    { permission: 'invoices:write' },
    { role: 'ADMIN' },
    { role: ['OWNER', 'ADMIN'] },
    { module: 'invoices', permission: 'invoices:write', role: 'ADMIN' },
  ])('holds %j', (needs) => {
    expect(() => assertHolds(access('ADMIN'), needs)).not.toThrow();
  });

  it.each([
    [{ module: 'payroll' }, 'module payroll'],
    [{ permission: 'invoices:delete' }, 'permission invoices:delete'],
    [{ role: 'OWNER' }, 'role OWNER'],
    [{ role: ['OWNER', 'AUDITOR'] }, 'role OWNER or AUDITOR'],
    [{ module: 'payroll', role: 'ADMIN' }, 'module payroll'],
    [{ module: 'invoices', role: 'OWNER' }, 'role OWNER'],
  ])('does not hold %j, and says so', (needs, missing) => {
    expect(() => assertHolds(access('ADMIN'), needs)).toThrow(
      expect.objectContaining({ code: 'forbidden', message: `The ${missing} is needed in this company.` }),
    );
  });

  it('of somebody without a place in the company has no role', () => {
    expect(() => assertHolds(access(null), { role: 'ADMIN' })).toThrow('role ADMIN');
  });
});
