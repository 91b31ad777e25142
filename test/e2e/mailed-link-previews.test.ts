import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { EmailChangeClient } from '../support/email-change-client.js';
import { registerWithLink } from '../support/registration-client.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';

const CHANGE = '/auth/email/change/preview';
const UNDO = '/auth/email/change/undo/preview';
const VERIFY = '/auth/email/verify/preview';
const CONFIRMING = {
  [CHANGE]: '/auth/email/change/confirm',
  [UNDO]: '/auth/email/change/undo',
  [VERIFY]: '/auth/email/verify',
} as const;
type Preview = keyof typeof CONFIRMING;
const PREVIEWS = Object.keys(CONFIRMING) as Preview[];
const OK = { status: 200, data: { status: 'ok' } };

let service: TestService;
let changes: EmailChangeClient;
beforeAll(async () => {
  service = await startTestService();
  changes = new EmailChangeClient(service);
});
afterAll(() => service.stop());

const preview = (path: Preview, token: string) => service.api('POST', path, { body: { token } });
const hidden = (email: string) => email.replace(/^(.).*(?=@)/, '$1•••');
const isPast = (table: string, column: string) =>
  service.sql(`UPDATE ${table} SET ${column} = now() - interval '1 second' WHERE ${column} IS NOT NULL`);

/** The failure without the id of its request. */
const failureOf = ({ text }: Answer) => {
  const { error } = JSON.parse(text) as { error: Record<string, unknown> };
  return { ...error, requestId: undefined };
};

/** A user with a link of each kind. */
const LINKS: Record<Preview, () => Promise<{ id: string; token: string; shown: object }>> = {
  [CHANGE]: async () => {
    const user = await service.signedIn();
    const { newEmail, token } = await changes.requested(user.accessToken);
    return { id: user.id, token, shown: { email: newEmail, currentEmail: hidden(user.email) } };
  },
  [UNDO]: async () => {
    const user = await service.signedIn();
    const { newEmail, undo } = await changes.changed(user);
    return { id: user.id, token: undo, shown: { email: user.email, currentEmail: hidden(newEmail) } };
  },
  [VERIFY]: async () => {
    const { id, email, token } = await registerWithLink(service);
    return { id, token, shown: { email } };
  },
};

const stateOf = (id: string) =>
  service.sql(
    `SELECT u.*, (SELECT count(*) FROM auth_audit_logs WHERE subject_user_id = u.id) AS events,
            (SELECT count(*) FROM mail_outbox) AS mails
     FROM users u WHERE u.id = $1`,
    [id],
  );

describe.each(PREVIEWS)('POST %s', (path) => {
  it('shows the address that the mail went to in full, and that of another mailbox in part', async () => {
    const { token, shown } = await LINKS[path]();
    const answer = await preview(path, token);
    expect([answer.status, answer.data]).toEqual([200, shown]);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('changes nothing, and leaves the token usable', async () => {
    const { id, token } = await LINKS[path]();
    const before = await stateOf(id);
    for (let times = 0; times < 3; times++) expect((await preview(path, token)).status).toBe(200);
    expect(await stateOf(id)).toEqual(before);
    const body = { token, ...(path === VERIFY && { password: 'another long walk home' }) };
    const confirmed = await service.api('POST', CONFIRMING[path], { body });
    expect(confirmed).toMatchObject(path === VERIFY ? { status: 200 } : OK);
    const spent = await preview(path, token);
    const refused = await service.api('POST', CONFIRMING[path], { body });
    expect(failureOf(spent)).toEqual(failureOf(refused));
    expect(spent.status).toBe(400);
  });

  it('answers an unknown and an expired token as the route that takes it', async () => {
    const { token } = await LINKS[path]();
    await isPast('email_changes', 'expires_at');
    await isPast('email_changes', 'undo_expires_at');
    await isPast('email_verification_tokens', 'expires_at');
    for (const each of ['lke_unknown', token]) {
      const seen = await preview(path, each);
      const body = { token: each, ...(path === VERIFY && { password: 'another long walk home' }) };
      const confirming = await service.api('POST', CONFIRMING[path], { body });
      expect(seen.status).toBe(400);
      expect(failureOf(seen)).toEqual(failureOf(confirming));
    }
  });

  it.each([{}, { token: '' }, { token: 7 }, { token: 'x'.repeat(1025) }])(
    'rejects the body %j',
    async (body) => {
      expect(await service.api('POST', path, { body })).toMatchObject({
        status: 400,
        code: 'validation_error',
      });
    },
  );

  it('shares the limit of rejected tokens with the route that takes it', async () => {
    const limited = await serviceForThisTest();
    const send = (to: string) => limited.api('POST', to, { body: { token: 'lke_unknown' } });
    for (let rejected = 0; rejected < 60; rejected++) expect((await send(path)).status).toBe(400);
    expect(await send(path)).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(await send(CONFIRMING[path])).toMatchObject({ status: 429, code: 'rate_limited' });
  });
});

it('the preview of a change shows nothing of an account that may not sign in', async () => {
  const { id, token } = await LINKS[CHANGE]();
  await service.sql('UPDATE users SET is_active = false WHERE id = $1', [id]);
  expect(await preview(CHANGE, token)).toMatchObject({ status: 400, code: 'validation_error' });
});

it('the preview of a registration shows nothing once the registration was decided against', async () => {
  const { id, token } = await LINKS[VERIFY]();
  await service.sql(`UPDATE users SET approval_status = 'REJECTED' WHERE id = $1`, [id]);
  expect(await preview(VERIFY, token)).toMatchObject({ status: 400, code: 'validation_error' });
});

it('the preview of a change does not say that the address is taken meanwhile', async () => {
  const { token, shown } = await LINKS[CHANGE]();
  await service.createUser({ email: (shown as { email: string }).email });
  expect((await preview(CHANGE, token)).data).toEqual(shown);
});

it('a token of one kind of link is of no use for the preview of another', async () => {
  const links = await Promise.all(PREVIEWS.map(async (path) => ({ path, ...(await LINKS[path]()) })));
  for (const { path: own, token } of links)
    for (const path of PREVIEWS)
      if (path !== own) expect([own, path, (await preview(path, token)).status]).toEqual([own, path, 400]);
});
