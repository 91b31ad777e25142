import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedInUser } from '../support/minted-token.js';
import { OperatorClient } from '../support/operator-client.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** What a replica of a later version may write while this version runs beside it. */
async function writtenByLaterVersion(userId: string, email: string): Promise<void> {
  await service.sql(
    `INSERT INTO sessions (id, user_id, selector_digest, secret_digest, origin, amr, expires_at)
     VALUES (gen_random_uuid(), $1, sha256(gen_random_uuid()::text::bytea), sha256('x'), 'from_the_future', '{fed}', now() + interval '1 hour')`,
    [userId],
  );
  await service.sql(
    `INSERT INTO sessions (id, user_id, selector_digest, secret_digest, origin, amr, expires_at, is_revoked, revoked_at,
       revoke_reason)
     VALUES (gen_random_uuid(), $1, sha256(gen_random_uuid()::text::bytea), sha256('x'), 'password', '{pwd}', now() + interval '1 hour', true,
       now(), 'reason_of_the_future')`,
    [userId],
  );
  await service.sql(
    `INSERT INTO mail_outbox (id, kind, recipient, payload, user_id)
     VALUES (gen_random_uuid(), 'mail_of_the_future', $1, '{}', $2)`,
    [email, userId],
  );
}

describe('values that a later version has written', () => {
  it('lists, the export and the command line show them as other, and the values that are known as they are', async () => {
    const user = await service.createUser();
    const { email, password } = user;
    const { data } = await service.api('POST', '/auth/login', { body: { email, password } });
    const { accessToken: token } = data;
    await writtenByLaterVersion(user.id, user.email);

    const own = await service.api('GET', '/auth/sessions', { token });
    expect(own.items.map(({ origin }) => origin).toSorted()).toEqual(['other', 'password']);
    const staff = await service.machine('GET', `/internal/admin/users/${user.id}/sessions`);
    expect(staff.items.map(({ origin }) => origin).toSorted()).toEqual(['other', 'password']);
    const operator = new OperatorClient(service);
    const mails = await operator.json<{ kind: string }[]>(['mail', 'outbox', '--to', user.email]);
    expect(mails.map(({ kind }) => kind)).toEqual(['other']);

    const exported = await service.api('GET', '/auth/me/export', { token });
    const { sessions } = exported.data as unknown as { sessions: { origin: string; revokeReason: string }[] };
    expect(sessions).toContainEqual(expect.objectContaining({ origin: 'other', revokeReason: null }));
    expect(sessions).toContainEqual(expect.objectContaining({ origin: 'password', revokeReason: 'other' }));

    const [ended] = await service.sql(
      `SELECT id FROM sessions WHERE user_id = $1 AND revoke_reason = 'reason_of_the_future'`,
      [user.id],
    );
    const shown = await operator.run(['sessions', 'show', String(ended?.id)]);
    expect(shown.stdout).toMatch(/^reason\tother$/m);
  });

  it('their sessions end like all others', async () => {
    const user = await signedInUser(service);
    await writtenByLaterVersion(user.id, user.email);
    await service.machine('POST', `/internal/admin/users/${user.id}/revoke-all`);
    const active = await service.sql('SELECT 1 FROM sessions WHERE user_id = $1 AND NOT is_revoked', [
      user.id,
    ]);
    expect(active).toEqual([]);
  });
});
