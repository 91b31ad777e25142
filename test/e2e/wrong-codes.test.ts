import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answerChallenge,
  challengeOf,
  enrol,
  enrolledUser,
  type Enrolled,
} from '../support/authenticator-app.js';
import { signedInUser } from '../support/minted-token.js';
import { PASSKEY_ENV, registerPasskey, signInWithPasskey } from '../support/passkey-client.js';
import { ResetClient } from '../support/reset-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { provedByFactor, stepUp, stepUpAssertion } from '../support/step-up-client.js';
import { waitUntil } from '../support/wait-until.js';

const SUBJECT = 'Wrong codes were entered for your Latchkey account';
const BLOCKED = { status: 429, code: 'rate_limited' };
const MAX = 100;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: { ...PASSKEY_ENV, LOGIN_RATE_LIMIT: '100000' } });
});
afterAll(() => service.stop());

const mailsTo = (email: string) => service.mailsTo(email).filter(({ subject }) => subject === SUBJECT);
const setCount = (userId: string, count: number) =>
  service.sql('UPDATE users SET wrong_codes = $2 WHERE id = $1', [userId, count]);
const countOf = async (userId: string) =>
  (await service.sql('SELECT wrong_codes FROM users WHERE id = $1', [userId]))[0]?.wrong_codes;
/** Lets the limits of an hour and of a challenge pass. */
const later = (userId: string) =>
  service.sql(
    `UPDATE second_factor_challenges SET created_at = created_at - interval '2 hours' WHERE user_id = $1`,
    [userId],
  );

/** Sends a proof at sign-in. */
async function answer(user: Enrolled, proof: { code: string } | { recoveryCode: string }) {
  const { challenge } = await challengeOf(service, user);
  return answerChallenge(service, { challenge, ...proof });
}

/** Enters wrong codes at sign-in, four with each challenge. */
async function enterWrong(user: Enrolled, times: number): Promise<void> {
  let challenge = '';
  for (let guess = 0; guess < times; guess += 1) {
    if (guess % 4 === 0) {
      await later(user.id);
      ({ challenge } = await challengeOf(service, user));
    }
    const { status, text } = await answerChallenge(service, { challenge, code: user.app.wrong() });
    expect(status, text).toBe(401);
  }
}

describe('wrong codes of an account', () => {
  it('the owner is mailed about the fifth in a row, wherever they were sent, and once a day', async () => {
    const user = await enrolledUser(service);
    await enterWrong(user, 3);
    const wrong = { code: user.app.wrong() };
    expect((await stepUp(service, user.accessToken, wrong)).status).toBe(401);
    expect(await countOf(user.id)).toBe(4);
    expect(mailsTo(user.email)).toEqual([]);
    expect((await stepUp(service, user.accessToken, wrong)).status).toBe(401);
    const mail = await waitUntil(() => mailsTo(user.email)[0], { what: 'the mail' });
    expect(mail.text.replaceAll(/\s+/g, ' ')).toContain('Only someone who knows your password');
    expect(mail.text).toContain('5 in a row');
    await enterWrong(user, 4);
    await service.sql(`UPDATE users SET wrong_codes_noticed_at = now() - interval '25 hours' WHERE id = $1`, [
      user.id,
    ]);
    await enterWrong(user, 4);
    await waitUntil(() => mailsTo(user.email)[1], { what: 'the mail of the next day' });
    const queued = await service.sql(
      `SELECT id FROM mail_outbox WHERE kind = 'wrong_codes' AND recipient = $1`,
      [user.email],
    );
    expect(queued).toHaveLength(2);
  });

  it('after 100 in a row no code is compared, at sign-in and for a step-up, and a recovery code still works', async () => {
    const user = await enrolledUser(service);
    await setCount(user.id, MAX - 1);
    await enterWrong(user, 1);
    await later(user.id);
    expect(await answer(user, { code: user.app.codeAt(0) })).toMatchObject(BLOCKED);
    expect(await stepUp(service, user.accessToken, { code: user.app.codeAt(1) })).toMatchObject(BLOCKED);
    expect(await countOf(user.id)).toBe(MAX);
    const recovered = await answer(user, { recoveryCode: user.recoveryCodes[0] ?? '' });
    expect(recovered.status, recovered.text).toBe(200);
    expect(await countOf(user.id)).toBe(0);
    expect((await stepUp(service, user.accessToken, { code: user.app.codeAt(1) })).status).toBe(200);
  });

  it('the code that confirms a new app is not compared either', async () => {
    const user = await service.signedIn();
    await setCount(user.id, MAX);
    const token = user.accessToken;
    const { data } = await service.api('POST', '/auth/factors/totp', { token, body: {} });
    const path = `/auth/factors/totp/${data.id}/confirm`;
    const confirmed = await service.api('POST', path, { token, body: { code: '123456' } });
    expect(confirmed).toMatchObject(BLOCKED);
  });

  it('a right code starts the count again', async () => {
    const user = await enrolledUser(service);
    await setCount(user.id, MAX - 1);
    expect((await answer(user, { code: user.app.next() })).status).toBe(200);
    expect(await countOf(user.id)).toBe(0);
  });

  it('wrong codes at the same time are counted each, and none beyond 100 is compared', async () => {
    const user = await service.signedIn();
    const factor = await enrol(service, user.accessToken);
    await setCount(user.id, MAX - 2);
    const sessions = await Promise.all(Array.from({ length: 6 }, () => challengeOf(service, user)));
    const answers = await Promise.all(
      sessions.map(({ challenge }) => answerChallenge(service, { challenge, code: factor.app.wrong() })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([401, 401, 429, 429, 429, 429]);
    expect(await countOf(user.id)).toBe(MAX);
  });
});

it('staff see that the codes of a user are blocked, and that they are not any more', async () => {
  const user = await enrolledUser(service);
  const { token } = await signedInUser(service, { role: 'PLATFORM_MODERATOR' });
  const blocked = async () =>
    (
      (await service.api('GET', `/internal/users/${user.id}/factors`, { token })).data as {
        codesBlocked?: boolean;
      }
    ).codesBlocked;
  await setCount(user.id, MAX - 1);
  expect(await blocked()).toBe(false);
  await setCount(user.id, MAX);
  expect(await blocked()).toBe(true);
  expect((await answer(user, { recoveryCode: user.recoveryCodes[0] ?? '' })).status).toBe(200);
  expect(await blocked()).toBe(false);
});

describe('the end of a block of codes', () => {
  const WAYS: Record<string, (user: Enrolled, key: SoftwareAuthenticator) => Promise<{ status: number }>> = {
    'a sign-in with a passkey': (_user, key) => signInWithPasskey(service, key),
    'a step-up with a passkey': async ({ accessToken }, key) =>
      stepUp(service, accessToken, { credential: await stepUpAssertion(service, accessToken, key) }),
    'a recovery code for a step-up': ({ accessToken, recoveryCodes }) =>
      stepUp(service, accessToken, { recoveryCode: recoveryCodes[0] ?? '' }),
    'a reset of the password': async ({ email }) => {
      const resets = new ResetClient(service);
      const links = () => service.mailsTo(email).filter(({ token }) => token.startsWith('lkp_'));
      await resets.request(email);
      return resets.confirm((await waitUntil(() => links()[0], { what: 'a reset link' })).token);
    },
    'a reset of the factors by a machine': ({ id }) =>
      service.machine('DELETE', `/internal/admin/users/${id}/factors`, { body: { reason: 'lost' } }),
  };

  it.each(Object.keys(WAYS))('%s ends it', async (way) => {
    const user = await service.signedIn();
    const raised = await provedByFactor(service, { ...user, token: user.accessToken });
    const key = new SoftwareAuthenticator();
    await registerPasskey(service, raised, key);
    const enrolled = await enrol(service, raised.token);
    await setCount(user.id, MAX);
    const done = await WAYS[way]?.({ ...user, ...enrolled, accessToken: raised.token }, key);
    expect(done?.status).toBe(200);
    expect(await countOf(user.id)).toBe(0);
  });
});
