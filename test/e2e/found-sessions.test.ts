import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { insertMembership } from '../support/test-memberships.js';

const COMPANY = crypto.randomUUID();
let service: TestService;
let token: string;

beforeAll(async () => {
  service = await startTestService({ env: { TRUST_PROXY: '1' } });
  token = (await service.signedIn({ role: 'PLATFORM_ADMIN', email: 'staff@example.com' })).accessToken;
  for (const [email, fullName, address] of [
    ['ada@example.com', 'Ada Lovelace', '192.0.2.7'],
    ['grace@example.com', 'Grace Hopper', '192.0.2.200'],
    ['adele@example.com', 'Adele Goldberg', '2001:db8::7'],
  ] as const) {
    const user = await service.createUser({ email, fullName });
    await insertMembership(service.sql, { userId: user.id, companyId: COMPANY, role: 'ADMIN' });
    const headers = { 'x-forwarded-for': address };
    const body = { email, password: user.password };
    const answer = await service.api('POST', '/auth/login', { headers, body });
    expect(answer.status, answer.text).toBe(200);
  }
});
afterAll(() => service.stop());

const read = (query: string): Promise<Answer> => service.api('GET', `/internal/sessions?${query}`, { token });

async function emailsOf(query: string): Promise<string[]> {
  const { text } = await read(query);
  return (JSON.parse(text) as { data: { email: string }[] }).data
    .map(({ email }) => email)
    .filter((email) => email !== 'staff@example.com')
    .toSorted();
}

describe('the list of active sessions', () => {
  it.each([
    ['search=ada', ['ada@example.com']],
    ['search=ad', ['ada@example.com', 'adele@example.com']],
    ['search=hopper', ['grace@example.com']],
    ['search=nobody', []],
    ['ipAddress=192.0.2.7', ['ada@example.com']],
    ['ipAddress=192.0.2.0/24', ['ada@example.com', 'grace@example.com']],
    ['ipAddress=192.0.2.0/25', ['ada@example.com']],
    ['ipAddress=2001:db8::/32', ['adele@example.com']],
    ['ipAddress=198.51.100.1', []],
    ['ipAddress=192.0.2.0/24&search=grace', ['grace@example.com']],
  ])('is found by %s', async (query, emails) => {
    expect(await emailsOf(query)).toEqual(emails);
  });

  it('has the total of what is found', async () => {
    expect((await read('ipAddress=192.0.2.0/24&limit=1')).headers['x-total-count']).toBe('2');
  });

  it('names what a network may look like', async () => {
    const answer = await read('ipAddress=192.0.2.0/3');
    expect(answer).toMatchObject({ status: 400, code: 'validation_error' });
    expect(answer.message).toContain('ipAddress: must be an IP address');
  });
});

describe('the audit log', () => {
  const logins = async (path: string): Promise<{ status: number; addresses: (string | null)[] }> => {
    const answer = await service.api('GET', `${path}?event=login&ipAddress=192.0.2.0/24`, { token });
    const { data = [] } = JSON.parse(answer.text) as { data?: { ipAddress: string | null }[] };
    return { status: answer.status, addresses: data.map(({ ipAddress }) => ipAddress) };
  };

  it('is found by the network of the requests', async () => {
    const { addresses } = await logins('/internal/audit-logs');
    expect(addresses.toSorted()).toEqual(['192.0.2.200', '192.0.2.7']);
  });

  it('is found by address together with a user', async () => {
    const [row] = await service.sql(`SELECT id FROM users WHERE email = 'ada@example.com'`);
    const userId = (row as { id: string }).id;
    for (const [address, count] of [
      ['192.0.2.7', 1],
      ['192.0.2.200', 0],
    ] as const) {
      const query = `event=login&userId=${userId}&ipAddress=${address}`;
      const answer = await service.api('GET', `/internal/audit-logs?${query}`, { token });
      expect((JSON.parse(answer.text) as { data: unknown[] }).data).toHaveLength(count);
    }
  });

  it('of a company is not searched by address, which would show the addresses that it hides', async () => {
    await service.sql(
      `INSERT INTO auth_audit_logs (id, event, outcome, actor, company_id, ip_address)
       VALUES (gen_random_uuid(), 'login', 'success', 'user', $1, '198.51.100.9')`,
      [COMPANY],
    );
    const path = `/internal/companies/${COMPANY}/audit-logs`;
    expect((await logins(path)).addresses).toEqual([null]);
    expect(
      await service.auth.companyActivity.list(COMPANY, { ipAddress: '192.0.2.1' } as object),
    ).toMatchObject({
      items: [{ ipAddress: null }],
    });
  });
});
