import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/test-database.js';
import { insertUser } from '../../../../test/support/test-users.js';
import { truncate } from '../../../../test/support/truncate.js';
import { newId } from '../kernel/id.js';

let testDatabase: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  pool = new pg.Pool({ connectionString: testDatabase.url, max: 2 });
});

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

const sql = async (text: string, values?: unknown[]): Promise<Record<string, unknown>[]> =>
  (await pool.query<Record<string, unknown>>(text, values)).rows;

async function auditRow(subjectUserId: string | null = null): Promise<string> {
  const id = newId();
  await sql(
    `INSERT INTO auth_audit_logs (id, event, outcome, actor, subject_user_id) VALUES ($1, 'login', 'success', 'user', $2)`,
    [id, subjectUserId],
  );
  return id;
}

const isThere = async (id: string): Promise<boolean> =>
  (await sql('SELECT 1 FROM auth_audit_logs WHERE id = $1 AND outcome = $2', [id, 'success'])).length === 1;

const MAINTENANCE = "SET LOCAL latchkey.audit_maintenance = 'on';";

describe('an audit row', () => {
  it.each([
    "UPDATE auth_audit_logs SET outcome = 'failure'",
    `${MAINTENANCE} UPDATE auth_audit_logs SET outcome = 'failure'`,
    'DELETE FROM auth_audit_logs',
    'TRUNCATE auth_audit_logs',
    "SET LOCAL latchkey.audit_maintenance = 'off'; DELETE FROM auth_audit_logs",
    "INSERT INTO auth_audit_logs SELECT * FROM auth_audit_logs ON CONFLICT (id) DO UPDATE SET outcome = 'failure'",
  ])('an audit row survives %s', async (statement) => {
    const id = await auditRow();
    await expect(sql(statement)).rejects.toThrow('audit rows are neither changed nor removed');
    expect(await isThere(id)).toBe(true);
  });

  it('an audit row survives the user that it is about', async () => {
    const user = await insertUser(sql);
    const id = await auditRow(user.id);
    await sql('DELETE FROM users WHERE id = $1', [user.id]);
    expect(await isThere(id)).toBe(true);
  });

  it('an audit row is removed by a transaction that is marked as maintenance, and by none after it', async () => {
    const [gone, kept] = [await auditRow(), await auditRow()];
    const client = await pool.connect();
    try {
      await client.query(`${MAINTENANCE} DELETE FROM auth_audit_logs WHERE id = '${gone}'`);
      expect([await isThere(gone), await isThere(kept)]).toEqual([false, true]);
      const later = client.query(`DELETE FROM auth_audit_logs WHERE id = '${kept}'`);
      await expect(later).rejects.toThrow('audit rows are neither');
    } finally {
      client.release();
    }
    await sql(truncate('auth_audit_logs'));
    expect(await isThere(kept)).toBe(false);
  });
});
