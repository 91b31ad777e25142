import { isStaff } from '../users/authority.js';
import type { SessionPrincipal } from './session.js';

/** Reports whether a session may use the platform role of its user. Users without a platform role need no level. */
export const hasStaffLevel = (
  { globalRole, acr }: Pick<SessionPrincipal, 'globalRole' | 'acr'>,
  { staffNeedsSecondFactor }: { staffNeedsSecondFactor: boolean },
): boolean => !staffNeedsSecondFactor || !isStaff(globalRole) || acr === 'aal2';
