import { describe, expect, it } from 'vitest';
import { effectiveDelegation, effectivePermissions } from './effective-permissions.js';

const UNCAPPED = { modules: new Set(['b', 'a']), permissions: undefined, requireSecondFactor: false };
const CAPPED = { modules: new Set(['b', 'a']), permissions: new Set(['read']) };

const delegation = {
  canManageUsers: true,
  canBuyAddons: false,
  grantableModules: ['z', 'b'],
  grantablePermissions: ['write', 'read'],
};

describe('permissions', () => {
  it('effective permissions are the grants, sorted', () => {
    expect(effectivePermissions({ permissionGrants: ['write', 'read'] }, UNCAPPED)).toEqual([
      'read',
      'write',
    ]);
  });

  it('effective permissions are capped by those of the company, if it names any', () => {
    expect(effectivePermissions({ permissionGrants: ['write', 'read'] }, CAPPED)).toEqual(['read']);
    const none = { permissions: new Set<string>() };
    expect(effectivePermissions({ permissionGrants: ['write', 'read'] }, none)).toEqual([]);
  });

  it('there are no effective permissions without grants or without a membership', () => {
    expect(effectivePermissions({ permissionGrants: [] }, CAPPED)).toEqual([]);
    expect(effectivePermissions(undefined, UNCAPPED)).toEqual([]);
  });
});

describe('delegation', () => {
  it('delegation is capped like the modules and permissions held', () => {
    expect(effectiveDelegation({ role: 'MEMBER', delegation }, CAPPED)).toEqual({
      canManageUsers: true,
      canBuyAddons: false,
      grantableModules: ['b'],
      grantablePermissions: ['read'],
    });
  });

  it('an ADMIN may delegate only what was delegated to them', () => {
    expect(effectiveDelegation({ role: 'ADMIN', delegation }, UNCAPPED).grantableModules).toEqual(['b']);
  });

  it('a TENANT_SUPERADMIN has both delegation flags and every entitled module', () => {
    expect(effectiveDelegation({ role: 'TENANT_SUPERADMIN', delegation }, CAPPED)).toEqual({
      canManageUsers: true,
      canBuyAddons: true,
      grantableModules: ['a', 'b'],
      grantablePermissions: ['read'],
    });
  });

  it('there is no delegation without a membership', () => {
    expect(effectiveDelegation(undefined, UNCAPPED)).toEqual({
      canManageUsers: false,
      canBuyAddons: false,
      grantableModules: [],
      grantablePermissions: [],
    });
  });
});
