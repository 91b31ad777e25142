import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accessOfModel, newWorld, take, type RoleWorld } from '../../../../test/support/role-model.js';
import { roleSteps } from '../../../../test/support/role-steps.js';
import type { CompanyMembership } from '../memberships/membership.js';
import { claimOfMember, effectiveModules } from './effective-modules.js';
import { effectivePermissions } from './effective-permissions.js';
import type { Entitlements } from './entitlements.js';

const delegation = {
  canManageUsers: false,
  canBuyAddons: false,
  grantableModules: [],
  grantablePermissions: [],
};

/** The access that the service computes from the rows that the steps leave. */
function accessOf(world: RoleWorld) {
  const definition = world.own[world.role] ?? world.template[world.role];
  const membership: Pick<
    CompanyMembership,
    'role' | 'isActive' | 'moduleGrants' | 'permissionGrants' | 'definedRole'
  > = {
    role: world.role,
    isActive: true,
    moduleGrants: world.grants,
    permissionGrants: world.permissions,
    definedRole: definition && { name: 'Role', ...definition, delegation },
  };
  const rules = [
    ...world.grants.map((moduleKey) => ({ moduleKey, effect: 'GRANT' as const })),
    ...world.denies.map((moduleKey) => ({ moduleKey, effect: 'DENY' as const })),
  ];
  const entitlements: Entitlements = {
    modules: new Set(world.entitled),
    accessPolicyMode: world.mode,
    permissions: undefined,
    requireSecondFactor: false,
  };
  return {
    modules: effectiveModules(claimOfMember(membership, rules), entitlements),
    permissions: effectivePermissions(membership, entitlements),
  };
}

describe('access by roles', () => {
  it('after 10,000 random sequences of changes, access is that of the model in every mode', () => {
    fc.assert(
      fc.property(roleSteps, (steps) => {
        const world = newWorld();
        for (const step of steps) {
          take(world, step);
          for (const mode of ['LEGACY', 'SHADOW', 'ENFORCED'] as const) {
            expect(accessOf({ ...world, mode })).toEqual(accessOfModel({ ...world, mode }));
          }
        }
      }),
      { numRuns: 10_000 },
    );
  });
});
