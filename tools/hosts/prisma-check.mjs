import assert from 'node:assert/strict';
import { inFolder } from '../packages/newcomer.mjs';
import { query, tablesOf } from './host-database.mjs';

/**
 * Runs `prisma db push` and `prisma migrate reset` on the schema of the recipe with Prisma's engine: the app's table is
 * created, Latchkey's stay. On Latchkey's schema it would drop them, which shows that they are visible.
 */
export async function assertOursUntouched({ folder, env, plainUrl }) {
  const before = await tablesOf(plainUrl, 'latchkey');
  assert.ok(before.includes('users') && before.includes('sessions'), before.join(' '));
  const engine = async (...args) => JSON.parse(await inFolder(folder, 'node', ['engine.mjs', ...args], env));

  assert.deepEqual(await engine('push', 'public'), { executedSteps: 1, unexecutable: [], warnings: [] });
  assert.deepEqual(await tablesOf(plainUrl, 'public'), ['Note']);
  assert.deepEqual(await engine('push', 'public'), { executedSteps: 0, unexecutable: [], warnings: [] });

  const { executedSteps, warnings } = await engine('push', 'latchkey');
  assert.equal(executedSteps, 0);
  assert.match(warnings.join('\n'), /about to drop the `users` table/);

  await engine('reset', 'public');
  assert.deepEqual(await tablesOf(plainUrl, 'public'), []);
  assert.deepEqual(await tablesOf(plainUrl, 'latchkey'), before);
  const [{ count }] = await query(plainUrl, 'SELECT count(*)::int AS count FROM latchkey.users');
  assert.equal(count, 1);
}
