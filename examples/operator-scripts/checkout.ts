import { randomUUID } from 'node:crypto';
import { LatchkeyApi } from './latchkey-api.js';

// Plays the checkout system: somebody has just paid for a company, and is let in at once, without a password yet.
const url = process.env.LATCHKEY_URL ?? 'http://localhost:3097';
const internalKey = process.env.AUTH_INTERNAL_API_KEY;
const companyId = process.env.COMPANY_ID ?? '22222222-2222-4222-8222-222222222222';

if (internalKey === undefined) {
  console.error('Set AUTH_INTERNAL_API_KEY to the key the service was started with.');
  process.exit(2);
}

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

const latchkey = new LatchkeyApi(url, internalKey);

const user = await latchkey.machine<User>('POST', '/internal/admin/users', {
  email: `buyer-${randomUUID()}@example.com`,
  fullName: 'Bea Buyer',
});
console.log(`created   ${user.email} (${user.id})`);

await latchkey.machine('POST', `/internal/admin/companies/${companyId}/memberships`, {
  userId: user.id,
  role: 'TENANT_SUPERADMIN',
  permissionGrants: ['invoices:read', 'invoices:write'],
});
console.log(`joined    company ${companyId} as TENANT_SUPERADMIN, two permissions granted`);

const tokens = await latchkey.machine<Tokens>('POST', `/internal/admin/users/${user.id}/sessions`);
console.log(`signed in for the next ${tokens.expiresIn} seconds`);

const access = await latchkey.asUser<Access>('GET', '/auth/me/access', tokens.accessToken, companyId);
console.log(`may use   ${access.modules.join(', ') || 'no module'} (${access.metadata.accessPolicyMode})`);
console.log(`may do    ${access.permissions.join(', ') || 'nothing in particular'}`);
