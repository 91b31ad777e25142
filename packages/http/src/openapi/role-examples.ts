import { listedRole, removedRole, rolePreview, savedRole } from '@latchkey/core/schemas';
import { COMPANY_ID, example, USER_ID } from './example.js';

const role = {
  key: 'ACCOUNTANT',
  name: 'Accountant',
  description: 'Keeps the books.',
  modules: ['invoices'],
  permissions: ['invoices:approve'],
  delegation: { canManageUsers: false, canBuyAddons: false, grantableModules: [], grantablePermissions: [] },
  version: 2,
  isTemplate: false,
  companyId: COMPANY_ID,
  createdAt: '2026-11-20T13:09:18.235Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
};
const none = { modules: [], permissions: [], delegation: [] };

/** Examples of the responses about definitions of roles. */
export const ROLE_EXAMPLES = [
  example(savedRole, { ...role, isNew: false }),
  example(listedRole, { ...role, members: 12 }),
  example(rolePreview, {
    members: [{ userId: USER_ID, gained: { ...none, modules: ['invoices'] }, lost: none }],
    total: 1,
    isTotalExact: true,
    fallsBackToTemplate: false,
  }),
  example(removedRole, { moved: 12 }),
];
