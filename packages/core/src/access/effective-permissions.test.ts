import { describe, expect, it } from 'vitest';
import { effectiveDelegation, effectivePermissions } from './effective-permissions.js';

const UNCAPPED = { modules: new Set(['b', 'a']), permissions: undefined };
const CAPPED = { modules: new Set(['b', 'a']), permissions: new Set(['read']) };

const delegation = {
  canManageUsers: true,
  canBuyAddons: false,
  grantableModules: ['z', 'b'],
  grantablePermissions: ['write', 'read'],
};

describe('permissions', () => {
  it('are the grants, sorted', () => {
    expect(effectivePermissions({ permissionGrants: ['write', 'read'] }, UNCAPPED)).toEqual([
      'read',
      'write',
    ]);
  });

  it('are capped by those of the company, when it names any', () => {
    expect(effectivePermissions({ permissionGrants: ['write', 'read'] }, CAPPED)).toEqual(['read']);
    const none = { permissions: new Set<string>() };
    expect(effectivePermissions({ permissionGrants: ['write', 'read'] }, none)).toEqual([]);
  });

  it('without grants or without a membership are none', () => {
    expect(effectivePermissions({ permissionGrants: [] }, CAPPED)).toEqual([]);
    expect(effectivePermissions(undefined, UNCAPPED)).toEqual([]);
  });
});

describe('delegation', () => {
  it('is capped like what is held', () => {
    expect(effectiveDelegation({ role: 'MEMBER', delegation }, CAPPED)).toEqual({
      canManageUsers: true,
      canBuyAddons: false,
      grantableModules: ['b'],
      grantablePermissions: ['read'],
    });
  });

  it('of an ADMIN is what was delegated, no more', () => {
    expect(effectiveDelegation({ role: 'ADMIN', delegation }, UNCAPPED).grantableModules).toEqual(['b']);
  });

  it('of a TENANT_SUPERADMIN has both flags and every entitled module', () => {
    expect(effectiveDelegation({ role: 'TENANT_SUPERADMIN', delegation }, CAPPED)).toEqual({
      canManageUsers: true,
      canBuyAddons: true,
      grantableModules: ['a', 'b'],
      grantablePermissions: ['read'],
    });
  });

  it('without a membership is none', () => {
    expect(effectiveDelegation(undefined, UNCAPPED)).toEqual({
      canManageUsers: false,
      canBuyAddons: false,
      grantableModules: [],
      grantablePermissions: [],
    });
  });
});
