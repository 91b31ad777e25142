import { GLOBAL_ROLES, type GlobalRole } from '@latchkey/core';
import { guardLine } from './guard-line.js';

/** The roles of platform staff; all other users have `NONE`. */
export type PlatformRole = Exclude<GlobalRole, 'NONE'>;

const isPlatformRole = (name: unknown): name is PlatformRole =>
  name !== 'NONE' && (GLOBAL_ROLES as readonly unknown[]).includes(name);

/** Validates roles. @throws TypeError without a role and for an unknown role. */
export function readRoles(roles: readonly unknown[]): ReadonlySet<GlobalRole> {
  if (roles.length === 0) {
    throw new TypeError(`requireRole: pass at least one platform role. Write: ${guardLine('requireRole')}`);
  }
  return new Set(roles.map(readRole));
}

function readRole(name: unknown): PlatformRole {
  if (isPlatformRole(name)) return name;
  const known = GLOBAL_ROLES.filter(isPlatformRole).join(', ');
  throw new TypeError(
    `requireRole: ${JSON.stringify(name)} is not a platform role. Platform roles are ${known}.`,
  );
}
