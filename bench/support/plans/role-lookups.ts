import { randomUUID } from 'node:crypto';
import { CompanyRoleRepository } from '../../../packages/core/src/company-roles/company-role-repository.js';
import { InvitationRepository } from '../../../packages/core/src/invitations/invitation-repository.js';
import type { Database } from '../../../packages/core/src/storage/database.js';
import { beyondOneUser, rolledBack, type Lookup } from './lookup.js';

const CONTENTS = {
  name: 'Accountant',
  description: null,
  modules: ['invoices'],
  permissions: [],
  delegation: { canManageUsers: false, canBuyAddons: false, grantableModules: [], grantablePermissions: [] },
};

/** A role that no member has: the index finds the members of one, however many others there are. */
const KEY = 'ACCOUNTANT';

export function roleLookups(database: Database): Lookup[] {
  const roles = new CompanyRoleRepository(database);
  const invitations = new InvitationRepository(database);
  return beyondOneUser('a role', [
    { name: 'roles of a company', run: ({ companyId }) => roles.list(companyId) },
    { name: 'members of each role', run: ({ companyId }) => roles.countListed(companyId, [KEY]) },
    { name: 'members of each template', run: () => roles.countListed(null, [KEY]) },
    {
      name: 'a role at a time',
      run: ({ companyId }) => roles.findAt({ companyId, key: KEY }, new Date()),
    },
    {
      name: 'a role, defined and removed',
      run: ({ userId }) =>
        rolledBack(database, async (trx) => {
          const scope = { companyId: randomUUID(), key: KEY };
          await roles.find(scope, trx);
          await roles.count(scope.companyId, trx);
          const role = await roles.insert(scope, CONTENTS, trx);
          const changed = await roles.update(role, { ...CONTENTS, modules: [] }, trx);
          for (const of of [scope, { ...scope, companyId: null }]) {
            await roles.countMembers(of, trx);
            await roles.staffMembers(of, trx);
            await roles.membershipsOf(userId, of, trx);
          }
          await roles.remove(changed, trx);
        }),
    },
    {
      name: 'open invitations of a role',
      run: ({ companyId }) =>
        rolledBack(database, async (trx) => {
          await invitations.lockOpenWithRole(companyId, KEY, trx);
          const open = await invitations.lockOpenOfRoles(companyId, [KEY], trx);
          await invitations.offerRole(
            open.map(({ id }) => id),
            KEY,
            trx,
          );
        }),
    },
  ]);
}
