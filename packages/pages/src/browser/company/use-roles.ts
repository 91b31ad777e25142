import type { Schemas } from '@latchkey/client';
import { client } from '../client.js';
import { useCompany, useCompanyQuery } from './company.js';
import { mayGive, mayIn } from './rights.js';

export type DefinedRole = Schemas['ListedCompanyRole'];

/** Roles that the service knows without a definition. */
const KNOWN_ROLES: readonly string[] = ['TENANT_SUPERADMIN', 'ADMIN', 'MEMBER'];

/** Returns the defined roles, the keys of all known ones, and those that the user may give. */
export function useRoles() {
  const { company, authority } = useCompany();
  const isReader = mayIn(authority, 'read');
  const query = useCompanyQuery(isReader ? company.id : undefined, (signal) =>
    client.request('GET', '/internal/companies/{companyId}/roles', {
      path: { companyId: company.id },
      signal,
    }),
  );
  const defined: readonly DefinedRole[] = query.data ?? [];
  const keys = [...new Set([...KNOWN_ROLES, ...defined.map(({ key }) => key)])];
  return { query, defined, keys, givable: keys.filter((key) => mayGive(authority, key)) };
}
