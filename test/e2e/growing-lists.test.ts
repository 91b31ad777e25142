import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes, type Route } from '@latchkey/express-adapter';
import type { Answer } from '../support/api-client.js';
import { insertInvitation } from '../support/insert-invitation.js';
import { nameOf } from '../support/route-request.js';
import { INTERNAL_KEY, startTestService, type TestService } from '../support/service.js';
import { insertMembership } from '../support/test-memberships.js';

/** More than two pages of two. */
const ROWS = 5;
const growing = allRoutes.filter(({ paging }) => paging === 'either');
const COMPANY = randomUUID();
const UNIT = randomUUID();

let service: TestService;
let user: { id: string; accessToken: string };
let superadmin: { accessToken: string };

beforeAll(async () => {
  service = await startTestService();
  superadmin = await service.signedIn({ role: 'PLATFORM_SUPERADMIN' });
  user = await service.signedIn();
  for (let row = 0; row < ROWS; row += 1) await addRow();
});
afterAll(() => service.stop());

/** Adds a row to each list. */
async function addRow(): Promise<void> {
  const { sql } = service;
  const { id: userId, email } = await service.createUser();
  await insertMembership(sql, { userId, companyId: COMPANY });
  await sql(
    `INSERT INTO business_unit_memberships (id, user_id, company_id, business_unit_id, is_active)
     VALUES (gen_random_uuid(), $1, $2, $3, true)`,
    [userId, COMPANY, UNIT],
  );
  await service.machine('POST', `/internal/admin/users/${userId}/sessions`);
  await service.machine('POST', `/internal/admin/users/${user.id}/sessions`);
  await insertInvitation(sql, { companyId: COMPANY });
  await sql(
    `INSERT INTO mail_outbox (id, kind, recipient, status, attempts, sent_at)
     VALUES (gen_random_uuid(), 'password_reset', $1, 'SENT', 1, now())`,
    [email],
  );
}

function read(route: Route, query: string): Promise<Answer> {
  const path = route.path
    .replace('{companyId}', COMPANY)
    .replace('{businessUnitId}', UNIT)
    .replace('{id}', user.id);
  const { accessToken } = path.startsWith('/auth/') ? user : superadmin;
  const headers =
    route.caller.security === 'bearer' || route.path.startsWith('/auth/')
      ? { authorization: `Bearer ${accessToken}` }
      : { 'x-internal-api-key': INTERNAL_KEY };
  return service.api('GET', `${path}?${query}`, { headers });
}

const idsOf = ({ text }: Answer): string[] =>
  (JSON.parse(text) as { data: unknown[] }).data.map((item) => JSON.stringify(item));

const cursorOf = ({ headers }: Answer) => headers['x-next-cursor'];
const totalOf = ({ headers }: Answer) => headers['x-total-count'];

/** Reads a list by cursor, two items at a time. */
async function byCursor(
  route: Route,
  afterFirst = (): Promise<void> => Promise.resolve(),
): Promise<string[]> {
  const items: string[] = [];
  let page = await read(route, 'limit=2');
  await afterFirst();
  for (;;) {
    expect(page.status, page.text).toBe(200);
    items.push(...idsOf(page));
    const cursor = cursorOf(page);
    if (cursor === undefined) return items;
    page = await read(route, `limit=2&cursor=${String(cursor)}`);
  }
}

describe.each(growing.map((route) => [nameOf(route), route] as const))('the list of %s', (_name, route) => {
  it('read by cursor, it has the same items in the same order as by offset', async () => {
    const whole = idsOf(await read(route, 'limit=1000'));
    expect(whole.length).toBeGreaterThanOrEqual(ROWS);
    expect(await byCursor(route)).toEqual(whole);
  });

  it('rows that are added while it is read by cursor shift nothing', async () => {
    const whole = idsOf(await read(route, 'limit=1000'));
    expect(await byCursor(route, addRow)).toEqual(whole);
  });

  it('every page has the total of the whole list, and the last one no cursor', async () => {
    const whole = await read(route, 'limit=1000');
    const total = String(idsOf(whole).length);
    expect([totalOf(whole), cursorOf(whole)]).toEqual([total, undefined]);
    const first = await read(route, 'limit=2');
    const second = await read(route, `limit=2&cursor=${String(cursorOf(first))}`);
    expect([first, second].map(totalOf)).toEqual([total, total]);
  });

  it.each([
    ['a cursor beside an offset', 'limit=2&offset=2&cursor=MC4w', 'cursor: continues a list by itself'],
    ['a cursor that is not ours', 'limit=2&cursor=MC4w', 'cursor: is invalid'],
    ['a cursor with other characters', 'limit=2&cursor=%20', 'cursor: '],
    ['an empty cursor', 'limit=2&cursor=', 'cursor: '],
  ])('%s is refused', async (_what, query, message) => {
    const answer = await read(route, query);
    expect(answer, answer.text).toMatchObject({ status: 400, code: 'validation_error' });
    expect(answer.message).toContain(message);
  });
});

it('every list that grows with the data can be read by cursor', () => {
  const byOffsetAlone = allRoutes.filter(({ paging }) => paging === 'offset').map(nameOf);
  // What one user or company has of these is limited.
  expect(byOffsetAlone.toSorted()).toEqual([
    'GET /auth/api-keys',
    'GET /auth/invitations',
    'GET /auth/passkeys',
    'GET /internal/admin/companies/{companyId}/api-keys',
    'GET /internal/companies/{companyId}/api-keys',
    'GET /internal/users/{id}/api-keys',
    'GET /internal/users/{id}/passkeys',
  ]);
});
