import { z } from 'zod';
import { businessUnitMembershipView, companyMembershipView } from '../memberships/membership-schema.js';
import { mapProfile } from '../users/profile-fields.js';
import { GLOBAL_ROLES } from '../users/user.js';

/** Reply of `GET /auth/me`. */
export const ownProfile = z
  .object({
    id: z.guid(),
    email: z.string(),
    name: z.string().nullable(),
    ...mapProfile(() => z.string().optional()),
    phonePrefix: z.string().nullable(),
    phoneNumber: z.string().nullable(),
    /** Time at which the mailbox was proved; missing for a registration that was never confirmed. */
    emailVerifiedAt: z.iso.datetime().optional(),
    sessionId: z.guid().describe('The session; of an API key its own id.'),
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
/** Profile, roles and memberships of the caller, and their current session. */
export type OwnProfile = z.output<typeof ownProfile>;
