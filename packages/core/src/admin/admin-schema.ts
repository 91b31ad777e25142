import { z } from 'zod';
import { businessUnitMembershipView, companyMembershipView } from '../memberships/membership-schema.js';
import { GLOBAL_ROLES } from '../users/user.js';
import { userView } from '../users/user-schema.js';

/** A user with every membership they hold. */
export const userContext = z
  .object({
    user: userView,
    companyMemberships: z.array(companyMembershipView),
    businessUnitMemberships: z.array(businessUnitMembershipView),
  })
  .meta({ id: 'UserContext' });
export type UserContext = z.output<typeof userContext>;

/** `GET /auth/me` */
export const ownProfile = z
  .object({
    id: z.guid(),
    email: z.string(),
    name: z.string().nullable(),
    phonePrefix: z.string().nullable(),
    phoneNumber: z.string().nullable(),
    profilePictureUrl: z.string().optional(),
    sessionId: z.guid(),
    globalRole: z.enum(GLOBAL_ROLES),
    /** The global role unless it is NONE, then the distinct roles of the company memberships. */
    roles: z.array(z.string()),
    tokenVersion: z.int(),
    vendorId: z.null(),
    vendorRole: z.null(),
    companyMemberships: z.array(companyMembershipView),
    businessUnitMemberships: z.array(businessUnitMembershipView),
  })
  .meta({ id: 'OwnProfile' });
export type OwnProfile = z.output<typeof ownProfile>;
