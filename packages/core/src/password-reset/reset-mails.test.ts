import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestAuth, type TestAuth } from '@latchkey/testing';
import { waitUntil } from '../../../../test/support/wait-until.js';

let kit: TestAuth;
let sql: pg.Pool;
beforeAll(async () => {
  kit = await createTestAuth();
  sql = new pg.Pool({ connectionString: kit.databaseUrl, max: 1 });
});
afterAll(async () => {
  await sql.end();
  await kit.close();
});

/** Asks for resets and waits until every mail of theirs has left or was skipped. @returns the mails so far. */
async function ask(email: string, times = 1): Promise<number> {
  await Promise.all(Array.from({ length: times }, () => kit.auth.passwordReset.request({ email })));
  const waiting = `SELECT 1 FROM mail_outbox WHERE status = 'PENDING'`;
  await waitUntil(async () => (await sql.query(waiting)).rowCount === 0, { what: 'an outbox without mail' });
  return kit.mail.to(email).length;
}

describe('the reset mails of one account', () => {
  it('an account gets three reset mails at once and one more every 20 minutes, however many are requested', async () => {
    const { email } = await kit.user();
    expect(await ask(email, 8)).toBe(3);
    await kit.clock.advance('19m');
    expect(await ask(email, 2)).toBe(3);
    await kit.clock.advance('61s');
    expect(await ask(email, 4)).toBe(4);
    await kit.clock.advance('41m');
    expect(await ask(email, 4)).toBe(6);
  });

  it('an account gets three reset mails again after an hour without requests, and never more', async () => {
    const { email } = await kit.user();
    await ask(email, 3);
    await kit.clock.advance('1h');
    expect(await ask(email, 5)).toBe(6);
    await kit.clock.advance('1d');
    expect(await ask(email, 5)).toBe(9);
  });

  it('the owner has a working reset link at any time, even under constant requests', async () => {
    const { id, email } = await kit.user();
    await ask(email, 10);
    const usable = `SELECT 1 FROM password_reset_tokens
      WHERE user_id = $1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > now()`;
    for (let minutes = 0; minutes < 180; minutes += 3) {
      await kit.clock.advance('3m');
      await ask(email, 2);
      expect((await sql.query(usable, [id])).rowCount, `after ${minutes + 3} minutes`).toBeGreaterThan(0);
    }
  });

  it('reset mails do not count against those of another account', async () => {
    const [loud, quiet] = [await kit.user(), await kit.user()];
    await ask(loud.email, 5);
    expect(await ask(quiet.email)).toBe(1);
  });
});
