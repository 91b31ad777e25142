import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { startTestService, type TestService } from '../support/service.js';

const PEOPLE = [
  ['d@sorted.example', 'bea'],
  ['a@sorted.example', 'Carl'],
  ['c@sorted.example', undefined],
  ['b@sorted.example', 'Ada'],
  ['e@sorted.example', 'Bea'],
] as const;

let service: TestService;
let token: string;

beforeAll(async () => {
  service = await startTestService();
  token = (await service.signedIn({ role: 'PLATFORM_ADMIN', email: 'staff@example.com' })).accessToken;
  for (const [email, fullName] of PEOPLE) {
    const body = { email, ...(fullName !== undefined && { fullName }) };
    const created = await service.machine('POST', '/internal/admin/users', { body });
    expect(created.status, created.text).toBe(201);
  }
});
afterAll(() => service.stop());

const read = (query: string): Promise<Answer> => service.api('GET', `/internal/users?${query}`, { token });

const lettersOf = ({ text }: Answer): string[] =>
  (JSON.parse(text) as { data: { email: string }[] }).data
    .map(({ email }) => email)
    .filter((email) => email.endsWith('@sorted.example'))
    .map((email) => email.slice(0, 1));

/** Reads all users in an order, two at a time. */
async function byCursor(sort: string): Promise<string[]> {
  const found: string[] = [];
  let page = await read(`limit=2&sort=${sort}`);
  for (;;) {
    expect(page.status, page.text).toBe(200);
    found.push(...lettersOf(page));
    const cursor = page.headers['x-next-cursor'];
    if (cursor === undefined) return found;
    page = await read(`limit=2&sort=${sort}&cursor=${String(cursor)}`);
  }
}

describe('a sorted list of users', () => {
  it.each([
    ['-createdAt', 'ebcad'],
    ['createdAt', 'dacbe'],
    ['email', 'abcde'],
    ['-email', 'edcba'],
  ])('has the order %s, by offset and by cursor', async (sort, order) => {
    expect(lettersOf(await read(`sort=${sort}`)).join('')).toBe(order);
    expect((await byCursor(sort)).join('')).toBe(order);
  });

  it('has the order of names in any case, and users without a name first', async () => {
    const up = lettersOf(await read('sort=fullName')).join('');
    expect(up).toMatch(/^cb(?:de|ed)a$/);
    expect((await byCursor('fullName')).join('')).toBe(up);
    const down = Array.from(up).toReversed().join('');
    expect(lettersOf(await read('sort=-fullName')).join('')).toBe(down);
    expect((await byCursor('-fullName')).join('')).toBe(down);
  });

  it('combines with a search and a filter', async () => {
    expect(lettersOf(await read('sort=-email&search=bea')).join('')).toBe('ed');
    expect(lettersOf(await read('sort=email&approvalStatus=PENDING'))).toEqual([]);
  });

  it('has no erased users', async () => {
    const { id } = await service.createUser({ email: 'f@sorted.example' });
    const body = { reason: 'asked for it' };
    await service.machine('DELETE', `/internal/admin/users/${id}/personal-data`, { body });
    for (const sort of ['email', 'fullName', 'createdAt'])
      expect(lettersOf(await read(`sort=${sort}`))).toHaveLength(PEOPLE.length);
  });

  it('takes a cursor of the same order only', async () => {
    const cursor = String((await read('limit=2&sort=email')).headers['x-next-cursor']);
    for (const sort of ['-email', 'fullName', 'createdAt', '-createdAt']) {
      const answer = await read(`limit=2&sort=${sort}&cursor=${cursor}`);
      expect(answer, sort).toMatchObject({ status: 400, code: 'validation_error' });
      expect(answer.message).toContain('cursor: is invalid');
    }
  });

  it.each([
    'createdAt.no-id.1',
    'createdAt',
    `email.${'x'.repeat(36)}.a`,
    `createdAt.${crypto.randomUUID()}.a`,
  ])('refuses the made-up cursor %j', async (text) => {
    const sort = text.split('.', 1)[0];
    const answer = await read(`sort=${sort}&cursor=${Buffer.from(text).toString('base64url')}`);
    expect(answer).toMatchObject({ status: 400, code: 'validation_error' });
  });

  it('names the orders that there are', async () => {
    const answer = await read('sort=lastLoginAt');
    expect(answer).toMatchObject({ status: 400, code: 'validation_error' });
    expect(answer.message).toContain('fullName');
  });
});
