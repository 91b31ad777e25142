import type { Auth, EntitlementsFunction } from '@latchkey/core';
import { COMPANIES } from './company-list.js';

/** The modules that a company has bought; undefined for a company that does not exist. */
export const entitlements: EntitlementsFunction = (companyId) => {
  const company = COMPANIES.find(({ id }) => id === companyId);
  return company && { modules: company.modules };
};

export const SAMPLE = { email: 'ann@nordwind.example', password: 'a long walk home' };

const OPERATOR = { kind: 'operator', name: 'sample-data' } as const;

/** Adds a user to sign in as, who belongs to both companies, unless there is one. */
export async function addSampleUser({ admin, memberships }: Auth): Promise<void> {
  const { items } = await admin.users.list({ search: SAMPLE.email }, { limit: 1 });
  if (items.length > 0) return;
  const { id: userId } = await admin.users.create(OPERATOR, { ...SAMPLE, fullName: 'Ann Nordwind' });
  const [first, second] = COMPANIES;
  if (!first || !second) return;
  const grants = { moduleGrants: ['invoices'], permissionGrants: ['invoices:approve'] };
  await memberships.upsertCompany(OPERATOR, first.id, { userId, role: 'ADMIN', ...grants });
  await memberships.upsertCompany(OPERATOR, second.id, { userId, moduleGrants: ['invoices'] });
}
