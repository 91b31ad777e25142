import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { startTestService, type TestService } from '../support/service.js';
import type { TestUser } from '../support/test-users.js';

describe('the audit log over HTTP', () => {
  let service: TestService;
  let user: TestUser;
  const list = (query = ''): Promise<Answer> => service.machine('GET', `/internal/admin/audit-logs${query}`);

  beforeAll(async () => {
    service = await startTestService();
    user = await service.createUser();
    for (let attempt = 0; attempt < 5; attempt++) await service.signIn(user);
    await service.api('POST', '/auth/login', { body: { email: user.email, password: 'wrong password' } });
  });
  afterAll(() => service.stop());

  it('the audit log returns entries newest first, with actor, subject and address', async () => {
    const { items, status } = await list(`?subjectUserId=${user.id}`);

    expect(status).toBe(200);
    expect(items).toHaveLength(6);
    expect(items[0]).toMatchObject({
      event: 'login',
      outcome: 'failure',
      actor: 'anonymous',
      ipAddress: '127.0.0.1',
    });
    expect(items[1]).toMatchObject({ event: 'login', outcome: 'success', actorUserId: user.id });
    const times = items.map((item) => String(item.occurredAt));
    expect(times).toEqual([...times].sort().reverse());
  });

  it('the audit log is read page by page, losing and repeating nothing while it grows', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(`?subjectUserId=${user.id}&limit=2${cursor ? `&cursor=${cursor}` : ''}`);
      seen.push(...page.items.map((item) => item.id));
      cursor = page.headers['x-next-cursor'] as string | undefined;
      if (seen.length === 2) await service.signIn(user);
    } while (cursor !== undefined);

    expect(seen).toHaveLength(6);
    expect(new Set(seen).size).toBe(6);
  });

  it('the audit log filters by event, outcome and time', async () => {
    const failures = await list(`?event=login&outcome=failure&subjectUserId=${user.id}`);
    const future = await list('?from=2999-01-01T00:00:00Z');
    const past = await list('?to=2000-01-01T00:00:00%2B02:00');

    expect(failures.items).toHaveLength(1);
    expect(future.items).toEqual([]);
    expect(past.items).toEqual([]);
  });

  it.each([
    '?event=nothing',
    '?limit=0',
    '?cursor=abc',
    `?cursor=${Buffer.from('1.018f4e6e-0000-7000-8000-00000000000a').toString('base64url')}x`,
    '?subjectUserId=x',
    '?from=2026-02-30T00:00:00Z',
    '?from=yesterday',
  ])('a bad query %s of the audit log is a bad request', async (query) => {
    expect(await list(query)).toMatchObject({ status: 400, code: 'validation_error' });
  });

  it('the audit log is for machines only', async () => {
    const admin = await service.signedIn({ role: 'PLATFORM_SUPERADMIN' });
    const answer = await service.api('GET', '/internal/admin/audit-logs', { token: admin.accessToken });
    expect(answer).toMatchObject({ status: 403, code: 'forbidden' });
  });
});
