import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { createTestAuth, type TestAuth } from '@latchkey/testing';
import { codeBlocks } from '../../tools/docs/code/page.js';
import { runExample } from '../support/docstrings/example-run.js';
import { openConnection } from '../support/open-connection.js';
import { waitUntil } from '../support/wait-until.js';

const OPERATOR = { kind: 'operator', name: 'test' } as const;

const text = readFileSync(new URL('../../docs/hooks.md', import.meta.url), 'utf8');
const blocks = codeBlocks({ file: 'docs/hooks.md', text });
const codeOf = (language: string, part: string): string =>
  blocks.find((block) => block.language === language && block.code.includes(part))?.code ?? '';

let kit: TestAuth;
let pool: pg.Pool;

beforeAll(async () => {
  kit = await createTestAuth({ databaseUrl: inject('postgres').url, schema: 'latchkey' });
  pool = new pg.Pool({ connectionString: kit.databaseUrl });
  kit.onClose(() => pool.end());
  await pool.query('CREATE SCHEMA app');
  await pool.query(codeOf('sql', 'app.outbox_position'));
});
afterAll(() => kit.close());

async function deactivate(): Promise<string> {
  const { id } = await kit.user();
  await kit.auth.admin.users.deactivate(OPERATOR, id);
  return id;
}

/** Runs the recipe of the page until it has delivered `count` entries. @returns their users. */
async function deliveredUntil(
  count: number,
  fails: (delivered: number) => boolean = () => false,
): Promise<string[]> {
  const stop = new AbortController();
  const delivered: string[] = [];
  const deliver = (entry: { subjectUserId: string }): Promise<void> => {
    if (fails(delivered.length)) return Promise.reject(new Error('the receiver is unavailable'));
    delivered.push(entry.subjectUserId);
    return Promise.resolve();
  };
  const given = { auth: kit.auth, pool, signal: stop.signal, deliver };
  const code = codeOf('ts', 'app.outbox_position');
  const running = runExample(code.replace('setTimeout as sleep', 'setTimeout'), {
    ...given,
    sleep: (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 20))),
  });
  await Promise.race([
    running,
    waitUntil(() => delivered.length >= count, { what: 'the deliveries' }),
  ]).finally(() => stop.abort());
  await running;
  return delivered;
}

it('the outbox recipe delivers every event, those before its first start included, and continues where it stopped', async () => {
  const first = [await deactivate(), await deactivate()];
  expect(await deliveredUntil(2)).toEqual(first);
  const missed = [await deactivate(), await deactivate(), await deactivate()];
  await expect(deliveredUntil(3, (delivered) => delivered === 1)).rejects.toThrow('unavailable');
  expect(await deliveredUntil(2)).toEqual(missed.slice(1));
});

it('the outbox recipe delivers an event that was committed after a later one was delivered', async () => {
  const client = await openConnection(kit.databaseUrl);
  onTestFinished(() => client.end());
  const late = crypto.randomUUID();
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO auth_audit_logs (id, event, outcome, actor, subject_user_id)
     VALUES (gen_random_uuid(), 'user_deactivated', 'success', 'cli:test', $1)`,
    [late],
  );
  const early = await deactivate();
  expect(await deliveredUntil(1)).toEqual([early]);
  await client.query('COMMIT');
  expect(await deliveredUntil(1)).toEqual([late]);
});
