import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  await service.sql(
    `INSERT INTO users (id, email, approval_status, is_active)
     SELECT gen_random_uuid(), 'many' || n || '@example.com', 'APPROVED', n > 10000 FROM generate_series(1, 10500) AS n`,
  );
}, 60_000);
afterAll(() => service.stop());

/** Returns the number of items, the total and its relation. */
async function listed(query: string): Promise<unknown[]> {
  const { items, headers } = await service.machine('GET', `/internal/admin/users${query}`);
  return [items.length, headers['x-total-count'], headers['x-total-count-relation']];
}

it('a list of more than 10,000 rows has a total that says "at least"', async () => {
  expect(await listed('')).toEqual([50, '10000', 'at-least']);
  expect(await listed('?limit=1000&offset=9000')).toEqual([1000, '10001', 'at-least']);
});

it('a list of up to 10,000 rows, and the last page of a longer one, have an exact total', async () => {
  expect(await listed('?isActive=false')).toEqual([50, '10000', undefined]);
  expect(await listed('?isActive=true')).toEqual([50, '500', undefined]);
  expect(await listed('?limit=1000&offset=10000')).toEqual([500, '10500', undefined]);
});

it('the sessions of a company have an exact total up to 1,000', async () => {
  const companyId = '018bcfe5-6800-7000-8000-00000000c0de';
  const listedSessions = async (query = ''): Promise<unknown[]> => {
    const path = `/internal/admin/companies/${companyId}/sessions${query}`;
    const { items, headers } = await service.machine('GET', path);
    return [items.length, headers['x-total-count'], headers['x-total-count-relation']];
  };
  await service.sql(
    `WITH member AS (
       INSERT INTO company_memberships (id, user_id, company_id, role)
       SELECT gen_random_uuid(), id, $1, 'MEMBER' FROM users WHERE is_active LIMIT 1 RETURNING user_id)
     INSERT INTO sessions (id, user_id, selector_digest, secret_digest, origin, amr, expires_at)
     SELECT gen_random_uuid(), user_id, sha256(n::text::bytea), sha256(n::text::bytea), 'password', '{pwd}', now() + interval '1 hour'
     FROM member, generate_series(1, 1000) AS n`,
    [companyId],
  );
  expect(await listedSessions()).toEqual([50, '1000', undefined]);
  await service.sql(
    `INSERT INTO sessions (id, user_id, selector_digest, secret_digest, origin, amr, expires_at)
     SELECT gen_random_uuid(), user_id, sha256('one more'), sha256('one more'), 'password', '{pwd}', now() + interval '1 hour'
     FROM company_memberships WHERE company_id = $1`,
    [companyId],
  );
  expect(await listedSessions()).toEqual([50, '1000', 'at-least']);
  expect(await listedSessions('?limit=100&offset=950')).toEqual([51, '1001', undefined]);
});
