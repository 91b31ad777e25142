import { z } from 'zod';
import { businessUnitMembershipView, companyMembershipView } from '../memberships/membership-schema.js';
import { userView } from '../users/user-schema.js';

/** Schema of a user with all their memberships. */
export const userContext = z
  .object({
    user: userView,
    companyMemberships: z.array(companyMembershipView),
    businessUnitMemberships: z.array(businessUnitMembershipView),
  })
  .meta({ id: 'UserContext' });
/** A user with their company and business-unit memberships. */
export type UserContext = z.output<typeof userContext>;
