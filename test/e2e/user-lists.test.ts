import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { ON_NEXT } from '../support/binding.js';
import { signedInUser, type SignedInTestUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let staff: SignedInTestUser;

/** The population beside the superadmin who sends the requests: twelve users, one per second, the last the newest. */
const COUNT = 12;

beforeAll(async () => {
  service = await startTestService();
  staff = await signedInUser(service, {
    role: 'PLATFORM_SUPERADMIN',
    email: 'staff@example.com',
    fullName: 'S',
  });
  await service.sql(`UPDATE users SET created_at = now() - interval '1 hour'`);
  for (let index = 0; index < COUNT; index++) {
    const user = await service.createUser({
      email: `list-${String(index).padStart(2, '0')}@example.com`,
      fullName: index % 4 === 0 ? `100%_Ada ${index}` : `Grace ${index}`,
      approval: index % 3 === 0 ? 'PENDING' : 'APPROVED',
      role: index === 5 ? 'PLATFORM_MODERATOR' : 'NONE',
    });
    // Two users each share a timestamp, so that the id has to decide.
    await service.sql(`UPDATE users SET created_at = now() - make_interval(secs => $2) WHERE id = $1`, [
      user.id,
      1000 - Math.floor(index / 2),
    ]);
  }
});

afterAll(() => service.stop());

const VARIANTS: [string, (query: string) => Promise<Answer>][] = [
  ['staff', (query) => service.api('GET', `/internal/users${query}`, { token: staff.token })],
  ['machines', (query) => service.machine('GET', `/internal/admin/users${query}`)],
];

describe.each(VARIANTS)('the list of users, for %s', (_variant, list) => {
  const emails = async (query: string): Promise<string[]> => {
    const answer = await list(query);
    expect(answer.status, answer.text).toBe(200);
    return answer.items.map((user) => user.email);
  };

  it('the list of users is a bare array, newest first, with its total in a header', async () => {
    const answer = await list('');
    expect(answer.body).toEqual({ success: true, data: answer.items });
    expect(answer.headers['x-total-count']).toBe('13');
    const keys = answer.items.map(({ createdAt, id }) => `${String(createdAt)} ${id}`);
    expect(keys).toEqual(keys.toSorted().reverse());
    expect(answer.items.at(-1)?.email).toBe('staff@example.com');
  });

  it('the list of users comes in pages that neither overlap nor leave out', async () => {
    const whole = await emails('');
    const pages = [
      await emails('?limit=5'),
      await emails('?limit=5&offset=5'),
      await emails('?limit=5&offset=10'),
    ];
    expect(pages.flat()).toEqual(whole);
    expect((await list('?limit=1')).headers['x-total-count']).toBe('13');
  });

  it('the list of users beyond its end is empty, with the total still returned', async () => {
    const answer = await list('?offset=1000000');
    expect([answer.items, answer.headers['x-total-count']]).toEqual([[], '13']);
  });

  it('the list of users clamps a limit above the maximum', async () => {
    expect(await emails('?limit=2147483647')).toHaveLength(13);
  });

  it.each([
    'limit=0',
    'limit=-1',
    'limit=1.5',
    'limit=',
    'limit=abc',
    'limit=1e309',
    'limit=9007199254740993',
    'limit=2147483648',
    'limit=%D9%A1%D9%A2',
    'offset=-1',
    'offset=-0',
    'offset=x',
    'limit=5&limit=6',
    'approvalStatus=approved',
    'approvalStatus=',
    'globalRole=TENANT_SUPERADMIN',
    'isActive=1',
    'search=',
    'search=%00',
    ...(ON_NEXT ? [] : ['search=%ff', 'search=%ED%A0%80']),
    `search=${'x'.repeat(201)}`,
    'approvalStatus=PENDING&approvalStatus=PENDING',
  ])('the list of users refuses %s', async (query) => {
    expect(await list(`?${query}`)).toMatchObject({ status: 400, code: 'validation_error' });
  });

  it.each(['limit[]=5', 'limit[$gt]=5', 'foo=bar', '__proto__[x]=1', 'constructor=x', '__proto__=x'])(
    'the list of users ignores the unknown %s',
    async (query) => {
      expect(await emails(`?${query}`)).toHaveLength(13);
    },
  );

  it('the list of users filters by state, role and activity, all at once', async () => {
    const pending = ['list-09', 'list-06', 'list-03', 'list-00'].map((name) => `${name}@example.com`);
    expect(await emails('?approvalStatus=PENDING')).toEqual(pending);
    expect(await emails('?isActive=false')).toEqual(pending);
    expect(await emails('?globalRole=PLATFORM_MODERATOR')).toEqual(['list-05@example.com']);
    expect(await emails('?globalRole=NONE&isActive=true&approvalStatus=APPROVED')).toHaveLength(7);
    const none = await list('?approvalStatus=REJECTED');
    expect([none.items, none.headers['x-total-count']]).toEqual([[], '0']);
  });

  it('the list of users searches the prefix of the email, in any case', async () => {
    expect(await emails('?search=LIST-1')).toEqual(['list-11@example.com', 'list-10@example.com']);
    expect(await emails('?search=example.com')).toEqual([]);
  });

  it('the list of users searches every part of the name, in any case', async () => {
    expect(await emails('?search=aDa')).toHaveLength(3);
    expect(await emails('?search=race%201')).toHaveLength(3);
  });

  it('the list of users takes wildcards, quotes and statements as plain text', async () => {
    // Fewer than three characters are searched at the start of words only.
    for (const text of ['100%_', '0%_'])
      expect(await emails(`?search=${encodeURIComponent(text)}`), text).toHaveLength(3);
    for (const text of ['%', '_', '1%_A', '\\', "'; DROP TABLE users;--", '%%', '{{7*7}}']) {
      const found = await emails(`?search=${encodeURIComponent(text)}`);
      expect(found, text).toEqual([]);
    }
  });
});
