import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { DatabaseClock } from './database-clock.js';
import { Database } from './database.js';

/** Milliseconds that a query on a busy machine may take. */
const SLACK = 10_000;
const MINUTE = 60_000;

let test: TestDatabase;
let database: Database;
const open = () => new Database({ url: test.url, poolMax: 2, preparedStatements: true });
beforeAll(async () => {
  test = await createTestDatabase();
  database = open();
});
afterAll(async () => {
  await database.close();
  await test.drop();
});

/** Returns a clock that a test moves: the wall clock alone, or time itself. */
function movableClock(ahead: number) {
  const clock = { wall: ahead, passed: 0 };
  return {
    clock,
    now: () => Date.now() + clock.wall + clock.passed,
    elapsed: () => performance.now() + clock.passed,
  };
}

it('the clock of the database is independent of that of the machine', async () => {
  for (const ahead of [-10 * MINUTE, 0, 10 * MINUTE]) {
    const now = await new DatabaseClock(database, movableClock(ahead)).now();
    expect(Math.abs(now - Date.now())).toBeLessThan(SLACK);
  }
});

it('the clock of the database advances with elapsed time and is read again after a minute or a jump of the wall clock', async () => {
  const asked = vi.spyOn(database, 'query');
  const machine = movableClock(0);
  const clock = new DatabaseClock(database, machine);
  const first = await clock.now();
  machine.clock.passed += MINUTE / 2;
  expect((await clock.now()) - first).toBeGreaterThanOrEqual(MINUTE / 2);
  expect(asked).toHaveBeenCalledTimes(1);
  machine.clock.wall += 10 * MINUTE;
  await clock.now();
  expect(asked).toHaveBeenCalledTimes(2);
  machine.clock.passed += MINUTE;
  expect(Math.abs((await clock.now()) - Date.now())).toBeLessThan(SLACK);
  expect(asked).toHaveBeenCalledTimes(3);
  vi.restoreAllMocks();
});

it('a database clock that was read once advances while the database is unavailable', async () => {
  const own = open();
  const machine = movableClock(0);
  const clock = new DatabaseClock(own, machine);
  await clock.now();
  await own.close();
  machine.clock.passed += 2 * MINUTE;
  expect(Math.abs((await clock.now()) - Date.now() - 2 * MINUTE)).toBeLessThan(SLACK);
  await expect(new DatabaseClock(own, machine).now()).rejects.toMatchObject({ code: 'service_unavailable' });
});
