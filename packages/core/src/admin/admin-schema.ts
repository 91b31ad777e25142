import { z } from 'zod';
import { businessUnitMembershipView, companyMembershipView } from '../memberships/membership-schema.js';
import { userView } from '../users/user-schema.js';

/**
 * A user with all their memberships.
 * @example
 * ```ts
 * const { id } = await kit.user({ company: 'acme' });
 * const context = await kit.auth.admin.users.context(id);
 * userContext.parse(context).companyMemberships; // → context.companyMemberships
 * ```
 */
export const userContext = z
  .object({
    user: userView,
    companyMemberships: z.array(companyMembershipView),
    businessUnitMemberships: z.array(businessUnitMembershipView),
  })
  .meta({ id: 'UserContext' });
/**
 * A user with their company and business-unit memberships.
 * @example
 * ```ts
 * const rolesOf = ({ companyMemberships }: UserContext): string[] => companyMemberships.map(({ role }) => role);
 * const { id } = await kit.user({ company: 'acme', role: 'ADMIN' });
 * rolesOf(await kit.auth.admin.users.context(id)); // → ['ADMIN']
 * ```
 */
export type UserContext = z.output<typeof userContext>;
