import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Script } from './script.js';

/** A company of `npm run example:core`. */
const EXAMPLE_COMPANY = '22222222-2222-4222-8222-222222222222';

interface User {
  id: string;
  email: string;
}

interface Tokens {
  accessToken: string;
  refreshToken: string;
  expiresIn: number;
}

interface Access {
  modules: string[];
  permissions: string[];
  metadata: { role: string; accessPolicyMode: string };
}

/** Simulates a checkout system: signs in a customer who has just paid for a company, without a password. */
export const checkout: Script = async (latchkey, args, { note }) => {
  const { values } = parseArgs({ args, options: { company: { type: 'string', default: EXAMPLE_COMPANY } } });
  const companyId = values.company;

  const user = await latchkey.machine<User>('POST', '/internal/admin/users', {
    email: `buyer-${randomUUID()}@example.com`,
    fullName: 'Bea Buyer',
  });
  note(`created   ${user.email} (${user.id})`);

  await latchkey.machine('POST', `/internal/admin/companies/${companyId}/memberships`, {
    userId: user.id,
    role: 'TENANT_SUPERADMIN',
    permissionGrants: ['invoices:read', 'invoices:write'],
  });
  note(`joined    company ${companyId} as TENANT_SUPERADMIN, two permissions granted`);

  const tokens = await latchkey.machine<Tokens>('POST', `/internal/admin/users/${user.id}/sessions`);
  note(`signed in for the next ${tokens.expiresIn} seconds`);

  const access = await latchkey.asUser<Access>('GET', '/auth/me/access', tokens.accessToken, companyId);
  note(`may use   ${access.modules.join(', ') || 'no module'} (${access.metadata.accessPolicyMode})`);
  note(`may do    ${access.permissions.join(', ') || 'nothing in particular'}`);
};
