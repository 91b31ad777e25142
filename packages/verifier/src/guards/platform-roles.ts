import { exampleOf } from './assert-use.js';

const PLATFORM_ROLES = ['PLATFORM_SUPERADMIN', 'PLATFORM_ADMIN', 'PLATFORM_MODERATOR'] as const;

/** The roles of platform staff; all other users have `NONE`. */
export type StaffRole = (typeof PLATFORM_ROLES)[number];

/** Validates roles. @throws TypeError without a role and for an unknown role. */
export function readRoles(roles: readonly unknown[]): ReadonlySet<string> {
  if (roles.length === 0) {
    throw new TypeError(`requireRole: pass at least one platform role. Write: ${exampleOf('requireRole')}`);
  }
  return new Set(roles.map(readRole));
}

function readRole(name: unknown): string {
  const role = PLATFORM_ROLES.find((known) => known === name);
  if (role !== undefined) return role;
  throw new TypeError(
    `requireRole: ${JSON.stringify(name)} is not a platform role. Platform roles are ${PLATFORM_ROLES.join(', ')}.`,
  );
}
