import { z } from 'zod';
import { businessUnitMembershipView, companyMembershipView } from '../memberships/membership-schema.js';
import { mapProfile } from '../users/profile-fields.js';
import { GLOBAL_ROLES } from '../users/user.js';
import { sessionActor } from './session-schema.js';

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
    actor: sessionActor
      .extend({ until: z.iso.datetime().describe('The session ends then, however often it is refreshed.') })
      .meta({ id: 'CurrentActor' })
      .optional()
      .describe("Who acts for the user in this session; missing in one of the user's own."),
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
