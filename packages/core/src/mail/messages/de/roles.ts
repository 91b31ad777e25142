import { roleTexts as english } from '../en/roles.js';
import type { Translation } from '../translation.js';

/** The roles of this service. A host app may have others, whose names are shown as they are. */
const NAMES = new Map([
  ['PLATFORM_SUPERADMIN', 'Plattform-Superadmin'],
  ['PLATFORM_ADMIN', 'Plattform-Admin'],
  ['PLATFORM_MODERATOR', 'Plattform-Moderator'],
  ['TENANT_SUPERADMIN', 'Mandanten-Superadmin'],
  ['ADMIN', 'Admin'],
  ['MEMBER', 'Mitglied'],
]);

export const roleTexts: Translation<typeof english> = {
  role: (name) => NAMES.get(name) ?? english.role(name),
};
