import { randomUUID } from 'node:crypto';
import type { LatchkeyApi } from '../operator-scripts/latchkey-api.js';

export interface DemoPerson {
  email: string;
  password: string;
  companyId: string;
}

/** A demo user with a password and a membership in their own company. */
export async function makeDemoPerson(latchkey: LatchkeyApi): Promise<DemoPerson> {
  const [password, companyId] = [randomUUID(), randomUUID()];
  const email = `dora-${randomUUID()}@example.com`;
  const user = await latchkey.machine<{ id: string }>('POST', '/internal/admin/users', {
    email,
    password,
    fullName: 'Dora Desktop',
  });
  await latchkey.machine('POST', `/internal/admin/companies/${companyId}/memberships`, { userId: user.id });
  return { email, password, companyId };
}
