import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inFolder } from '../packages/newcomer.mjs';
import { query, tablesOf } from './host-database.mjs';

/**
 * Checks that the app's table was created once and nothing was proposed for Latchkey's. A config without the filter
 * would drop them, which shows that they were visible.
 */
export async function assertOursUntouched({ folder, env, plainUrl }) {
  const before = await tablesOf(plainUrl, 'latchkey');
  assert.ok(before.includes('users') && before.includes('sessions'), before.join(' '));
  assert.deepEqual(await tablesOf(plainUrl, 'public'), ['notes']);

  const [migration, ...others] = readdirSync(path.join(folder, 'drizzle')).filter((file) =>
    file.endsWith('.sql'),
  );
  assert.equal(others.length, 0);
  const sql = readFileSync(path.join(folder, 'drizzle', migration), 'utf8');
  assert.match(sql, /^CREATE TABLE "notes"/);
  assert.doesNotMatch(sql, /DROP|RENAME|CREATE TABLE (?!"notes")/);

  const push = (...options) => inFolder(folder, 'npx', ['drizzle-kit', 'push', '--verbose', ...options], env);
  assert.match(await push(), /No changes detected/);

  const config = readFileSync(path.join(folder, 'drizzle.config.js'), 'utf8');
  const open = config.replace("schemaFilter: ['public']", "schemaFilter: ['public', 'latchkey']");
  assert.notEqual(open, config);
  writeFileSync(path.join(folder, 'open.config.js'), open);
  // It asks before it drops. Without an answer it fails after printing what it would do.
  const refused = await push('--strict', '--config', 'open.config.js').catch((error) => error.message);
  assert.match(refused, /DROP TABLE "latchkey"\."users"/);

  assert.deepEqual(await tablesOf(plainUrl, 'latchkey'), before);
  const [{ count }] = await query(plainUrl, 'SELECT count(*)::int AS count FROM latchkey.users');
  assert.equal(count, 1);
}
