import { expect, it, onTestFinished } from 'vitest';
import { allRoutes } from '@latchkey/express-adapter';
import { scrape } from '../support/scrape.js';
import { serviceForThisTest } from '../support/service.js';

const NAME = 'latchkey_unforeseen_failures_total';

it('every route and page counts its unforeseen failures from 0, and the first one is counted', async () => {
  const service = await serviceForThisTest();
  const countsOf = async () =>
    new Map((await scrape(service)).of(NAME).map(({ labels, value }) => [labels.route, value]));
  const before = await countsOf();
  expect([...before.keys()]).toEqual(
    expect.arrayContaining([...allRoutes.map(({ path }) => path), '/login']),
  );
  expect(new Set(before.values())).toEqual(new Set([0]));
  await service.sql('ALTER TABLE users RENAME TO users_away');
  onTestFinished(async () => {
    await service.sql('ALTER TABLE IF EXISTS users_away RENAME TO users');
  });
  const reply = await fetch(`${service.url}/auth/login`, {
    method: 'POST',
    body: JSON.stringify({ email: 'ann@example.com', password: 'a long walk home' }),
    headers: { 'content-type': 'application/json' },
  });
  expect(reply.status).toBe(500);
  const after = await countsOf();
  expect(after.get('/auth/login')).toBe(1);
  expect([...after.values()].reduce((sum, count) => sum + count)).toBe(1);
});
