import type { CompanyMembership, Delegation, RoleContents } from './membership.js';

/** The fields of a membership from which its permissions and delegation follow. */
type Held = Pick<CompanyMembership, 'permissionGrants' | 'delegation' | 'definedRole'>;

/** Returns the permissions of a membership: its own and those of its role. */
export const heldPermissions = ({
  permissionGrants,
  definedRole,
}: Pick<Held, 'permissionGrants' | 'definedRole'>): string[] =>
  union(permissionGrants, definedRole?.permissions);

/** Returns the delegation of a membership: its own and that of its role. */
export const heldDelegation = ({
  delegation: own,
  definedRole,
}: Pick<Held, 'delegation' | 'definedRole'>): Delegation =>
  definedRole ? unitedDelegation(own, definedRole.delegation) : own;

const unitedDelegation = (one: Delegation, other: Delegation): Delegation => ({
  canManageUsers: one.canManageUsers || other.canManageUsers,
  canBuyAddons: one.canBuyAddons || other.canBuyAddons,
  grantableModules: union(one.grantableModules, other.grantableModules),
  grantablePermissions: union(one.grantablePermissions, other.grantablePermissions),
});

const union = (one: readonly string[], other: readonly string[] = []): string[] => [
  ...new Set([...one, ...other]),
];

/** Reports whether the contents hand anything on to others. */
export const handsOn = ({ delegation }: Pick<RoleContents, 'delegation'>): boolean =>
  delegation.canManageUsers ||
  delegation.canBuyAddons ||
  delegation.grantableModules.length > 0 ||
  delegation.grantablePermissions.length > 0;
