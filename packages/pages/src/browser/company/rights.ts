import { may, mayOn, type Role } from '../console/rights.js';

/** The rights of a user in a company by the rules of the service, which a test compares with these. */
export type CompanyAction = 'read' | 'manage' | 'invite';

/** A user in a company. */
export interface Authority {
  userId: string;
  globalRole: Role;
  /** The role of the active membership; undefined without one. */
  role: string | undefined;
  /** True for a member who may invite people without administering the company. */
  isDelegate: boolean;
}

/** A member whose membership is to be changed. */
interface Member {
  id: string;
  globalRole: Role;
  role: string;
}

const SUPERADMIN = 'TENANT_SUPERADMIN';
const ADMINISTRATORS: readonly string[] = [SUPERADMIN, 'ADMIN'];

const actsForPlatform = ({ globalRole }: Authority): boolean => may({ globalRole }, 'operate');

const administers = (authority: Authority): boolean =>
  actsForPlatform(authority) || ADMINISTRATORS.includes(authority.role ?? '');

/** Reports whether a user may take an action in the company at all. */
export function mayIn(authority: Authority, action: CompanyAction): boolean {
  if (administers(authority)) return true;
  return action === 'read' ? may(authority, 'read') : action === 'invite' && authority.isDelegate;
}

/** Reports whether a user may change this membership. No user changes their own. */
export function mayEdit(authority: Authority, member: Member): boolean {
  if (authority.userId === member.id) return false;
  const { userId: id, globalRole, role } = authority;
  if (actsForPlatform(authority) && mayOn({ id, globalRole }, 'edit', member)) return true;
  return role === SUPERADMIN || (role === 'ADMIN' && member.role !== SUPERADMIN);
}

/** Reports whether a user may give a role to a member or in an invitation. */
export function mayGive(authority: Authority, role: string): boolean {
  if (!administers(authority)) return role === 'MEMBER';
  return role !== SUPERADMIN || actsForPlatform(authority) || authority.role === SUPERADMIN;
}
