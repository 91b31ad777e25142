import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { AuthError } from '@latchkey/core';
import { openConnection } from '../../../../test/support/open-connection.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { createTestAuth } from './create-test-auth.js';
import type { TestAuth } from './test-auth.js';

/** A busy machine may need longer than by default. */
const SLOW_MACHINE = { timeout: 120_000 };

let kit: TestAuth;
let sql: pg.Client;

beforeAll(async () => {
  kit = await createTestAuth({
    databaseUrl: inject('postgres').url,
    settings: { REFRESH_TOKEN_TTL: '10d', SESSION_MAX_LIFETIME: '15d' },
  });
  sql = await openConnection(kit.databaseUrl);
});

afterAll(async () => {
  await sql.end();
  await kit.close();
});

const secondsAhead = (time: Date): number => (time.getTime() - Date.now()) / 1000;

describe('advancing the clock ends', () => {
  it('advancing the clock ends an access token', async () => {
    const { accessToken } = await kit.user();
    await kit.clock.advance('14m');
    await kit.auth.authenticator.authenticate(accessToken);
    await kit.clock.advance('66s');
    await expect(kit.auth.authenticator.authenticate(accessToken)).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });

  it('advancing the clock ends a session that is not refreshed', async () => {
    const { refreshToken } = await kit.user();
    await kit.clock.advance('10d');
    await expect(kit.auth.refresh.refresh(refreshToken)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('advancing the clock ends a refreshed session at its absolute limit', async () => {
    const user = await kit.user();
    await kit.clock.advance('9d');
    const { refreshToken } = await kit.auth.refresh.refresh(user.refreshToken);
    await kit.clock.advance('6d');
    await expect(kit.auth.refresh.refresh(refreshToken)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('advancing the clock ends permissions that require a recent sign-in', async () => {
    const { accessToken } = await kit.user();
    const principal = await kit.auth.authenticator.authenticate(accessToken);
    kit.auth.authenticator.assertFresh(principal, 300);
    await kit.clock.advance('6m');
    expect(() => kit.auth.authenticator.assertFresh(principal, 300)).toThrow(
      expect.objectContaining({ code: 'reauthentication_required' }),
    );
  });

  it('advancing the clock ends an invitation', async () => {
    const admin = await kit.user({ company: 'acme', role: 'ADMIN' });
    const caller = await kit.auth.authenticator.authenticateWithMemberships(admin.accessToken);
    const guest = { email: 'guest@example.com', role: 'MEMBER' };
    await kit.auth.invitations.create(caller, admin.companyId ?? '', guest);
    const { token = '' } = await kit.mail.waitFor(guest.email, 'invitation', SLOW_MACHINE);
    await kit.clock.advance('7d');
    const accept = kit.auth.invitationAcceptance.accept({ token, password: 'a long enough password' });
    await expect(accept).rejects.toMatchObject({ code: 'conflict' });
  });

  it('advancing the clock ends a link that resets a password', async () => {
    const { email } = await kit.user();
    await kit.auth.passwordReset.request({ email });
    const { token = '' } = await kit.mail.waitFor(email, 'password_reset', SLOW_MACHINE);
    await kit.clock.advance('30m');
    const confirm = kit.auth.passwordReset.confirm({ token, newPassword: 'a long enough password' });
    await expect(confirm).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('advancing the clock ends a hand-off code', async () => {
    const user = await kit.user({ company: 'acme' });
    const caller = await kit.auth.authenticator.authenticate(user.accessToken);
    const { code } = await kit.auth.handoff.create(caller, user.companyId ?? '');
    await kit.clock.advance('61s');
    await expect(kit.auth.handoff.exchange(code)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('advancing the clock ends the wait after too many wrong passwords', async () => {
    const { email, password } = await kit.user();
    // A busy machine refuses passwords before they are compared, which counts as no failure.
    const isWrong = () =>
      kit.auth.login
        .withPassword({ email, password: 'wrong' })
        .catch((error: unknown) => AuthError.is(error) && error.code !== 'service_unavailable');
    const wrong = Array.from({ length: 20 }, () => waitUntil(isWrong, { what: 'a failure that counts' }));
    await Promise.all(wrong);
    await expect(kit.auth.login.withPassword({ email, password })).rejects.toMatchObject({
      code: 'rate_limited',
    });
    await kit.clock.advance('31s');
    await kit.auth.login.withPassword({ email, password });
  });

  it('advancing the clock ends a cached session check', async () => {
    const { id, accessToken } = await kit.user();
    await kit.auth.authenticator.authenticateByHint(accessToken);
    // Bypasses the services, which would write a marker.
    await sql.query('UPDATE users SET is_active = false WHERE id = $1', [id]);
    await kit.auth.authenticator.authenticateByHint(accessToken);
    await kit.clock.advance('16s');
    await expect(kit.auth.authenticator.authenticateByHint(accessToken)).rejects.toMatchObject({
      code: 'account_inactive',
    });
  });
});

describe('the moved clock', () => {
  it('the moved clock is that of the database and of its defaults', async () => {
    await kit.clock.advance('1d');
    const ahead = secondsAhead(kit.clock.now());
    expect(ahead).toBeGreaterThan(86_400);
    const { id } = await kit.user();
    const text = `SELECT now(), clock_timestamp() AS clock, statement_timestamp() AS statement, created_at AS made
                  FROM users WHERE id = $1`;
    const { rows } = await sql.query<Record<string, Date>>(text, [id]);
    for (const time of Object.values(rows[0] ?? {})) {
      expect(Math.abs(secondsAhead(time) - ahead)).toBeLessThan(60);
    }
  });

  it('statements that were prepared before, with a generic plan, see the moved clock', async () => {
    const prepared = { name: 'the_time', text: 'SELECT now() AS time' };
    const read = async () => (await sql.query<{ time: Date }>(prepared)).rows[0]?.time.getTime() ?? 0;
    for (let times = 0; times < 7; times += 1) await read();
    const before = await read();
    await kit.clock.advance('1h');
    expect((await read()) - before).toBeGreaterThanOrEqual(3_600_000);
  });

  it('the moved clock does not affect CURRENT_TIMESTAMP, which no schema can precede', async () => {
    const { rows } = await sql.query<{ time: Date }>('SELECT CURRENT_TIMESTAMP AS time');
    expect(Math.abs(secondsAhead(rows[0]?.time ?? new Date(0)))).toBeLessThan(60);
  });

  it('overlapping moves of the clock add up', async () => {
    const before = kit.clock.now().getTime();
    await Promise.all([kit.clock.advance(60), kit.clock.advance('1m')]);
    const moved = kit.clock.now().getTime() - before;
    expect(moved).toBeGreaterThanOrEqual(120_000);
    expect(moved).toBeLessThan(180_000);
  });
});

it.each([
  [-1, RangeError, /only goes forward/],
  ['-5m', RangeError, /only goes forward/],
  ['soon', TypeError, /"soon" is not a duration; write 90s/],
  [Number.NaN, TypeError, /is not a duration/],
])('advance(%s) is rejected with what to do', async (duration, kind, message) => {
  const refusal = await kit.clock.advance(duration).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(kind);
  expect(String(refusal)).toMatch(message);
});
