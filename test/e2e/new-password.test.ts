import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ResetClient } from '../support/reset-client.js';
import { startTestService, type TestService } from '../support/service.js';
import type { TestUser } from '../support/test-users.js';
import { waitUntil } from '../support/wait-until.js';

const OWN = 'seven owls over the harbour';
const BAD_TOKEN = { status: 400, code: 'validation_error' };

let service: TestService;
let client: ResetClient;
beforeAll(async () => {
  service = await startTestService({ smtp: true });
  client = new ResetClient(service);
});
afterAll(() => service.stop());
beforeEach(() => mailServerRefuses(false));

/** The three ways in which a user gets another password. */
const WAYS: { way: string; set: (user: TestUser) => Promise<void> }[] = [
  {
    way: 'the user changes',
    set: async (user) => {
      const { accessToken } = await service.signIn(user);
      const body = { currentPassword: user.password, newPassword: OWN };
      const answer = await service.api('POST', '/auth/password/change', { token: accessToken, body });
      expect(answer.status, answer.text).toBe(200);
    },
  },
  {
    way: 'a reset sets',
    set: async ({ email }) => {
      const answer = await client.confirm(await client.tokenFor(email), OWN);
      expect(answer.status, answer.text).toBe(200);
    },
  },
  {
    way: 'an operator sets',
    set: async ({ id }) => {
      await service.auth.admin.passwords.set({ kind: 'operator', name: 'test' }, id, {
        password: OWN,
      });
    },
  },
];

const mailServerRefuses = (refuses: boolean): void => {
  if (service.smtp) service.smtp.refuseWith = refuses ? 450 : undefined;
};

/** Requests a reset while the mail server is unavailable; the mail waits for `sendWaitingMail`. */
async function askWithoutMailServer(email: string): Promise<void> {
  mailServerRefuses(true);
  await client.request(email);
  const attempts = 'SELECT 1 FROM mail_outbox WHERE recipient = $1 AND last_error IS NOT NULL';
  await waitUntil(async () => (await service.sql(attempts, [email])).length > 0, {
    what: 'a failed attempt',
  });
  const postpone = `UPDATE mail_outbox SET next_attempt_at = now() + interval '1 hour' WHERE recipient = $1`;
  await service.sql(postpone, [email]);
  mailServerRefuses(false);
}

/** Deletes the links of a user, as a clean-up may: the link of a waiting mail is made when the mail leaves. */
const forgetLinks = ({ id }: TestUser) =>
  service.sql('DELETE FROM password_reset_tokens WHERE user_id = $1 AND used_at IS NULL', [id]);

async function sendWaitingMail(): Promise<void> {
  await service.sql(`UPDATE mail_outbox SET next_attempt_at = now() WHERE status = 'PENDING'`);
  await client.allMailIsHandled();
}

/** Returns the tokens of the links that were mailed to an address. */
const linksTo = (email: string): string[] =>
  service
    .mailsTo(email)
    .map(({ token }) => token)
    .filter(Boolean);

describe.each(WAYS)('the password that $way', ({ set }) => {
  it('a new password makes every earlier reset link useless', async () => {
    const user = await service.createUser();
    const tokens = [await client.tokenFor(user.email), await client.tokenFor(user.email)];
    await set(user);
    for (const token of tokens) expect(await client.confirm(token)).toMatchObject(BAD_TOKEN);
    expect((await client.login(user.email, OWN)).status).toBe(200);
  });

  it('a new password keeps a waiting reset mail from carrying a link', async () => {
    const user = await service.createUser();
    await askWithoutMailServer(user.email);
    await expectNoLinkAfter(user);
  });

  it('a new password keeps a reset mail without a link, also one that never had any', async () => {
    const user = await service.createUser();
    await askWithoutMailServer(user.email);
    await forgetLinks(user);
    await expectNoLinkAfter(user);
  });

  async function expectNoLinkAfter(user: TestUser): Promise<void> {
    await set(user);
    const before = linksTo(user.email).length;
    await sendWaitingMail();
    expect(linksTo(user.email)).toHaveLength(before);
    expect((await client.login(user.email, OWN)).status).toBe(200);
  }

  it('a new password still allows a reset that is requested afterwards', async () => {
    const user = await service.createUser();
    await set(user);
    const before = linksTo(user.email).length;
    await client.request(user.email);
    // The notice of the change arrives beside it.
    const link = () => linksTo(user.email)[before];
    const token = await waitUntil(link, { what: 'a new link' });
    expect(await client.confirm(token, 'yet another password')).toMatchObject({ status: 200 });
  });

  it('a new password keeps the reset links of other users', async () => {
    const [user, other] = [await service.createUser(), await client.userWithToken()];
    await set(user);
    expect(await client.confirm(other.token)).toMatchObject({ status: 200 });
  });
});

it('the access token that changed the password stays valid, as does its session', async () => {
  const user = await service.signedIn();
  const body = { currentPassword: user.password, newPassword: OWN };
  expect(await service.api('POST', '/auth/password/change', { token: user.accessToken, body })).toMatchObject(
    {
      status: 200,
    },
  );
  expect((await service.api('GET', '/auth/me', { token: user.accessToken })).data).toMatchObject({
    tokenVersion: 1,
  });
  const { refreshToken } = user;
  expect((await service.api('POST', '/auth/refresh', { body: { refreshToken } })).status).toBe(200);
});

describe('a waiting reset mail of a user who gets another email address', () => {
  it('a waiting reset mail carries no link to the former address, nor to the new one', async () => {
    const user = await service.createUser();
    await askWithoutMailServer(user.email);
    await forgetLinks(user);
    const email = `moved-${user.email}`;
    const moved = await service.machine('PATCH', `/internal/admin/users/${user.id}`, { body: { email } });
    expect(moved.status, moved.text).toBe(200);
    await sendWaitingMail();
    expect(service.mailsTo(user.email).filter(({ link }) => link.includes('/reset-password'))).toEqual([]);
    expect(service.mailsTo(email)).toEqual([]);
    expect(await service.sql('SELECT 1 FROM password_reset_tokens WHERE user_id = $1', [user.id])).toEqual(
      [],
    );
  });

  it('a waiting reset mail is followed by one to the new address, when the user asks again', async () => {
    const user = await service.createUser();
    await askWithoutMailServer(user.email);
    const email = `again-${user.email}`;
    await service.machine('PATCH', `/internal/admin/users/${user.id}`, { body: { email } });
    const token = await client.tokenFor(email);
    await sendWaitingMail();
    expect(service.mailsTo(user.email).filter(({ link }) => link.includes('/reset-password'))).toEqual([]);
    expect(await client.confirm(token)).toMatchObject({ status: 200 });
  });
});
