import type { Auth } from '@latchkey/core';
import type { Company } from './companies/company.js';
import type { Invoicing } from './invoicing.js';

const NORDWIND: Company = {
  id: '0b8f3a52-6d0e-4b58-9a55-1f2b8e0c7a01',
  name: 'Nordwind Logistics',
  plan: 'full',
  mailDomain: 'nordwind.example',
};
const PAPIER: Company = {
  id: '4c1d9e77-2f3a-4e6b-8b1c-9d5e6f7a8b02',
  name: 'Papier & Co',
  plan: 'basic',
  mailDomain: 'papier.example',
};

const PASSWORD = 'a long walk home';

/** A sample user to sign in as. */
export const SAMPLE_PEOPLE = [
  {
    email: 'ann@nordwind.example',
    fullName: 'Ann Nordwind',
    does: 'runs Nordwind, writes invoices for both',
  },
  { email: 'bo@nordwind.example', fullName: 'Bo Nordwind', does: 'writes invoices, approves none' },
].map((person) => ({ ...person, password: PASSWORD }));

const OPERATOR = { kind: 'operator', name: 'sample-data' } as const;

/** Adds companies, users and their first invoices unless they exist. */
export async function addSampleData({ auth, companies, invoices }: Invoicing): Promise<void> {
  for (const company of [NORDWIND, PAPIER]) await companies.add(company);
  if ((await invoices.list(NORDWIND.id)).length > 0) return;
  const [ann, bo] = await Promise.all(SAMPLE_PEOPLE.map((person) => userId(auth, person)));
  if (ann === undefined || bo === undefined) return;
  const modules = { moduleGrants: ['invoicing'] };
  const places = [
    {
      companyId: NORDWIND.id,
      userId: ann,
      role: 'ADMIN',
      permissionGrants: ['invoices.approve'],
      ...modules,
    },
    { companyId: PAPIER.id, userId: ann, role: 'MEMBER', ...modules },
    { companyId: NORDWIND.id, userId: bo, role: 'MEMBER', ...modules },
  ];
  for (const { companyId, ...place } of places)
    await auth.memberships.upsertCompany(OPERATOR, companyId, place);
  await invoices.add(NORDWIND.id, { customer: 'Harbour Master', cents: 48_000 }, bo);
  await invoices.add(NORDWIND.id, { customer: 'Sea & Sons', cents: 1_250_000 }, bo);
  await invoices.add(PAPIER.id, { customer: 'City Library', cents: 9_900 }, ann);
}

/** Returns the user with this email, and creates one if there is none. */
async function userId(
  auth: Auth,
  { email, fullName, password }: (typeof SAMPLE_PEOPLE)[number],
): Promise<string> {
  const found = await auth.admin.users.list({ search: email }, { limit: 1 });
  const [user] = found.items;
  if (user) return user.id;
  const created = await auth.admin.users.create(OPERATOR, { email, fullName, password });
  return created.id;
}
