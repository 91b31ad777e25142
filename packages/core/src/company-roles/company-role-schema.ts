import { z } from 'zod';
import { isPlainName } from '../kernel/plain-name.js';
import { isCleanText } from '../kernel/text.js';
import { uuidInput } from '../kernel/uuid-input.js';
import { delegationInput, keysInput, membershipRoleInput } from '../memberships/membership-input.js';
import { delegationView } from '../memberships/membership-schema.js';
import type { CompanyRole } from './company-role.js';

/** Schema of what a role contains. */
const roleContentsInput = z.object({
  name: z
    .string()
    .trim()
    .refine(isPlainName, 'must be a name of at most 80 letters, digits, spaces and hyphens'),
  description: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .refine(isCleanText, 'must not contain control characters')
    .meta({ pattern: '\\S' })
    .optional(),
  modules: keysInput,
  permissions: keysInput,
  delegation: delegationInput.optional(),
});

/** Schema of a definition to write. */
export const roleInput = roleContentsInput.extend({
  version: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .optional()
    .describe('The version that the change is based on: if another one is in effect, nothing changes.'),
});
/** A definition to write; it replaces the whole former one. */
export type RoleInput = z.input<typeof roleInput>;

/** Schema of a file with the definitions of many roles. */
export const roleFile = z.object({
  roles: z
    .array(roleContentsInput.extend({ key: membershipRoleInput }))
    .min(1)
    .max(100, 'must be at most 100 roles')
    .refine((roles) => new Set(roles.map(({ key }) => key)).size === roles.length, 'must name each key once'),
});
/** Definitions of many roles, as a file has them. */
export type RoleFile = z.input<typeof roleFile>;

/** Schema of a time of which the definition is asked for; missing for now. */
export const roleTime = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 instant such as 2026-01-31T12:00:00Z' })
  .transform((text) => new Date(text))
  .optional();

/** Schema of the removal of a definition. */
export const roleRemovalInput = z.object({
  moveTo: membershipRoleInput.optional().describe('The role that members and open invitations get.'),
});
/** The role that the members of a removed one get. */
export type RoleRemovalInput = z.input<typeof roleRemovalInput>;

/** Schema of a change to preview: a definition, or its removal. */
export const rolePreviewInput = z.union([
  roleContentsInput.meta({
    examples: [{ name: 'Accountant', modules: ['invoices'], permissions: [] }],
  }),
  roleRemovalInput
    .extend({ remove: z.literal(true) })
    .meta({ examples: [{ remove: true, moveTo: 'MEMBER' }] }),
]);
/** A change of a role to preview: a definition, or `{ remove: true }` with the role that members get. */
export type RolePreviewInput = z.input<typeof rolePreviewInput>;

/** The key of a role in a company. */
export const companyRoleKeyInput = z.object({
  companyId: uuidInput.describe('Id of the company.'),
  key: membershipRoleInput.describe('Key of the role.'),
});

/** Schema of a role with a definition. */
const roleView = z
  .object({
    key: z.string(),
    name: z.string(),
    description: z.string().optional(),
    modules: z.array(z.string()),
    permissions: z.array(z.string()),
    delegation: delegationView,
    version: z.int().describe('Rises with every change.'),
    isTemplate: z.boolean().describe('True for a definition for every company without one of its own.'),
    companyId: z.guid().optional().describe('Missing for a template.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'CompanyRole' });
/** The definition of a role, of a company or as a template. */
export type RoleView = z.output<typeof roleView>;

/** Schema of a definition that was written. */
export const savedRole = roleView
  .extend({ isNew: z.boolean().describe('True if there was no definition before.') })
  .meta({ id: 'SavedCompanyRole' });
/** A definition that was written. */
export type SavedRoleView = z.output<typeof savedRole>;

/** Schema of a role with the number of its members. */
export const listedRole = roleView
  .extend({ members: z.int().describe('Active members with this definition, counted up to 1000.') })
  .meta({ id: 'ListedCompanyRole' });
/** A definition with the number of its active members. */
export type ListedRoleView = z.output<typeof listedRole>;

const roleKeys = z
  .object({
    modules: z.array(z.string()),
    permissions: z.array(z.string()),
    delegation: z
      .array(z.string())
      .describe('`canManageUsers`, `canBuyAddons`, and keys such as `grantableModules:invoices`.'),
  })
  .meta({ id: 'RoleKeys' });

/** Schema of the effect of a change on the members of a role. */
export const rolePreview = z
  .object({
    members: z
      .array(z.object({ userId: z.guid(), gained: roleKeys, lost: roleKeys }))
      .describe('The newest members of the role, at most 1000.'),
    total: z.int().describe('All active members of the role.'),
    isTotalExact: z.boolean(),
    fallsBackToTemplate: z.boolean().describe('True if members get the definition of the template.'),
  })
  .meta({ id: 'RolePreview' });
/** The effect of a change on each member of a role, with the entitlements of the company. */
export type RolePreviewView = z.output<typeof rolePreview>;

/** Schema of the result of removing a definition. */
export const removedRole = z
  .object({ moved: z.int().describe('Members who got the other role.') })
  .meta({ id: 'RemovedRole' });
/** The result of removing a definition. */
export type RemovedRoleView = z.output<typeof removedRole>;

/** Returns the contents of an input, with every field and keys in order. */
export const contentsOf = ({
  name,
  description,
  modules,
  permissions,
  delegation,
}: z.output<typeof roleContentsInput>) => ({
  name,
  description: description ?? null,
  modules: modules.toSorted(),
  permissions: permissions.toSorted(),
  delegation: {
    canManageUsers: delegation?.canManageUsers ?? false,
    canBuyAddons: delegation?.canBuyAddons ?? false,
    grantableModules: delegation?.grantableModules?.toSorted() ?? [],
    grantablePermissions: delegation?.grantablePermissions?.toSorted() ?? [],
  },
});

export const toRoleView = (role: CompanyRole): RoleView => ({
  key: role.key,
  name: role.name,
  description: role.description ?? undefined,
  modules: role.modules,
  permissions: role.permissions,
  delegation: role.delegation,
  version: role.version,
  isTemplate: role.companyId === null,
  companyId: role.companyId ?? undefined,
  createdAt: role.createdAt.toISOString(),
  updatedAt: role.updatedAt.toISOString(),
});
