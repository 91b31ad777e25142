import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handOff } from '../support/hand-off.js';
import { mintTokens } from '../support/minted-token.js';
import { overtaken } from '../support/overtaken.js';
import { PASSKEY_ENV, registerPasskey, signInOptions } from '../support/passkey-client.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { agedSession, signInOf, stepUp, stepUpAssertion, stepUpOptions } from '../support/step-up-client.js';
import type { AuthenticationChanges } from '../support/webauthn-changes.js';

const INVALID = { status: 400, code: 'validation_error' };
const WRONG = { status: 401, code: 'unauthorized' };
const ENDED = { status: 401, code: 'session_revoked' };
const NOT_ACCEPTED = { ...WRONG, message: 'The passkey was not accepted.' };
/** Changes that make an assertion worthless: no verified user, and another page. */
const BENT: AuthenticationChanges[] = [
  { flags: { UV: false } },
  { clientData: { origin: 'https://evil.example.com' } },
];
const NEW_PASSWORD = 'seven owls over the harbour';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: { ...PASSKEY_ENV, TRUST_PROXY: '1' } });
});
afterAll(() => service.stop());

/** A user whose sign-in by password is an hour old. */
async function signedInAnHourAgo() {
  const user = await service.signedIn();
  return { ...user, ...(await agedSession(service, user)) };
}

/** The same with a passkey. */
async function passkeyOwner(options: ConstructorParameters<typeof SoftwareAuthenticator>[0] = {}) {
  const user = await service.signedIn();
  const authenticator = new SoftwareAuthenticator(options);
  const added = await registerPasskey(service, { ...user, token: user.accessToken }, authenticator);
  expect(added.status, added.text).toBe(201);
  return { ...user, ...(await agedSession(service, user)), authenticator, passkeyId: added.data.id };
}

const now = () => Math.floor(Date.now() / 1000);
const rowOf = async (token: string) => {
  const [row] = await service.sql(
    `SELECT amr, extract(epoch FROM auth_time)::int AS auth_time, failed_confirmations, is_revoked FROM sessions
     WHERE id = $1`,
    [signInOf(token).sid],
  );
  return row;
};
const audited = (userId: string) =>
  service.sql(
    `SELECT outcome, session_id, details FROM auth_audit_logs WHERE event = 'step_up' AND subject_user_id = $1
     ORDER BY id`,
    [userId],
  );

describe('a step-up with the password', () => {
  it('a step-up returns an access token of the same session with a new time of the sign-in', async () => {
    const user = await signedInAnHourAgo();
    const before = signInOf(user.token);
    const { status, data } = await stepUp(service, user.token, { password: user.password });
    expect(status).toBe(200);
    expect(data).toEqual({ accessToken: expect.any(String) as string, expiresIn: 900 });
    const after = signInOf(data.accessToken);
    expect(after).toMatchObject({ sid: before.sid, amr: ['pwd'], acr: 'aal1' });
    expect(now() - after.authTime).toBeLessThan(30);
    expect(now() - before.authTime).toBeGreaterThan(3_500);
    const passwordIsRight = { outcome: 'success', session_id: before.sid, details: { method: 'password' } };
    expect(await audited(user.id)).toEqual([passwordIsRight]);
  });

  it('refreshed tokens keep what a step-up raised, with the refresh token from before it', async () => {
    const user = await signedInAnHourAgo();
    const { data: raised } = await stepUp(service, user.token, { password: user.password });
    const { refreshToken } = user;
    const { data: refreshed } = await service.api('POST', '/auth/refresh', { body: { refreshToken } });
    expect(signInOf(refreshed.accessToken)).toEqual(signInOf(raised.accessToken));
  });

  it('an older access token stays valid and is not raised by a step-up', async () => {
    const user = await signedInAnHourAgo();
    const other = await service.signIn(user);
    await stepUp(service, user.token, { password: user.password });
    expect((await service.api('GET', '/auth/me', { token: user.token })).status).toBe(200);
    expect(() => service.auth.authenticator.assertFresh(signInOf(user.token), 900)).toThrow();
    expect(await rowOf(other.accessToken)).toMatchObject({ amr: ['pwd'], is_revoked: false });
  });

  it('a wrong password raises nothing and is counted and audited', async () => {
    const user = await signedInAnHourAgo();
    const before = await rowOf(user.token);
    expect(await stepUp(service, user.token, { password: 'a wrong one' })).toMatchObject(WRONG);
    expect(await rowOf(user.token)).toEqual({ ...before, failed_confirmations: 1 });
    expect(await audited(user.id)).toMatchObject([{ outcome: 'failure', details: { method: 'password' } }]);
    expect((await stepUp(service, user.token, { password: user.password })).status).toBe(200);
    expect(await rowOf(user.token)).toMatchObject({ failed_confirmations: 0 });
  });

  it('ten wrong proofs in a row end the session, those of other confirmations included', async () => {
    const user = await signedInAnHourAgo();
    for (let guess = 0; guess < 9; guess += 1) {
      const answer = await stepUp(service, user.token, { password: `guess ${guess}` }, `198.51.100.${guess}`);
      expect(answer).toMatchObject(WRONG);
    }
    const body = { currentPassword: 'the last guess', newPassword: NEW_PASSWORD };
    const last = await service.api('POST', '/auth/password/change', { token: user.token, body });
    expect(last).toMatchObject(ENDED);
    expect(await stepUp(service, user.token, { password: user.password })).toMatchObject(ENDED);
  });

  it('an account without a password cannot step up with one', async () => {
    const { id } = await service.createUser({ password: null });
    const { token } = await mintTokens(service, id);
    expect(await stepUp(service, token, { password: 'anything at all' })).toMatchObject(WRONG);
  });

  it.each([
    ['no proof', {}],
    ['two proofs', { password: 'one', credential: {} }],
    ['two proofs, one of them well-formed and one not', { password: 'one', credential: null }],
    ['an unknown proof', { pin: '1234' }],
    ['a password that is not text', { password: 7 }],
  ])('a step-up with %s is invalid and counts as no attempt', async (_what, proof) => {
    const user = await service.signedIn();
    expect(await stepUp(service, user.accessToken, proof)).toMatchObject(INVALID);
    expect(await rowOf(user.accessToken)).toMatchObject({ failed_confirmations: 0 });
  });

  it('a step-up needs an access token', async () => {
    const answer = await service.api('POST', '/auth/step-up', { body: { password: 'anything' } });
    expect(answer).toMatchObject(WRONG);
  });

  it('a step-up counts against the limit of sign-ins of its address', async () => {
    const limited = await serviceForThisTest({ env: { LOGIN_RATE_LIMIT: '3' } });
    const user = await limited.signedIn();
    const statuses: number[] = [];
    for (let index = 0; index < 3; index += 1) {
      statuses.push((await stepUp(limited, user.accessToken, { password: user.password })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('a step-up issues no token when a host app fails to add its claims, and raises nothing', async () => {
    let fails = false;
    const claims = () => {
      if (fails) throw new Error('no claims today');
      return { plan: 'gold' };
    };
    const host = await serviceForThisTest({ extensions: { claims } });
    const user = await host.signedIn();
    const { token } = await agedSession(host, user);
    const row = () => host.sql('SELECT amr, auth_time, failed_confirmations, confirming_until FROM sessions');
    const before = await row();
    fails = true;
    const refused = await host.client.send('POST', '/auth/step-up', {
      token,
      body: { password: user.password },
    });
    expect(refused.status).toBe(500);
    expect(await row()).toEqual(before);
    fails = false;
    const { data } = await stepUp(host, token, { password: user.password });
    expect((await host.auth.authenticator.authenticate(data.accessToken)).claims).toEqual({ plan: 'gold' });
  });
});

describe('a step-up with a passkey', () => {
  it('options of a step-up name the passkeys of the user, and of no other user', async () => {
    await passkeyOwner();
    const user = await passkeyOwner();
    const [credential] = user.authenticator.credentials;
    expect(await stepUpOptions(service, user.token)).toEqual({
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as unknown,
      rpId: 'localhost',
      timeout: 300_000,
      userVerification: 'required',
      allowCredentials: [
        { id: credential?.id.toString('base64url'), type: 'public-key', transports: ['internal'] },
      ],
    });
  });

  it('a passkey raises the session by its methods and records its use', async () => {
    const user = await passkeyOwner();
    const credential = await stepUpAssertion(service, user.token, user.authenticator);
    const { status, data } = await stepUp(service, user.token, { credential });
    expect(status).toBe(200);
    const { authTime, amr, acr } = signInOf(data.accessToken);
    expect({ amr, acr }).toEqual({ amr: ['pwd', 'hwk', 'user', 'mfa'], acr: 'aal2' });
    expect(now() - authTime).toBeLessThan(30);
    const details = { method: 'passkey', passkeyId: user.passkeyId };
    expect(await audited(user.id)).toMatchObject([{ outcome: 'success', details }]);
    const [passkey] = await service.sql('SELECT last_used_at FROM passkey_credentials WHERE id = $1', [
      user.passkeyId,
    ]);
    expect(passkey?.last_used_at).not.toBeNull();
  });

  it('a user without passkeys gets no options', async () => {
    const { accessToken: token } = await service.signedIn();
    const answer = await service.api('POST', '/auth/step-up/options', { token, body: {} });
    expect(answer).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('an assertion raises its session once', async () => {
    const user = await passkeyOwner();
    const credential = await stepUpAssertion(service, user.token, user.authenticator);
    expect((await stepUp(service, user.token, { credential })).status).toBe(200);
    expect(await stepUp(service, user.token, { credential })).toMatchObject(NOT_ACCEPTED);
    expect(await audited(user.id)).toMatchObject([
      { outcome: 'success' },
      { outcome: 'failure', details: { method: 'passkey', reason: 'ceremony' } },
    ]);
  });

  it('a challenge that an older state of the store brings back raises nothing', async () => {
    const user = await passkeyOwner();
    const credential = await stepUpAssertion(service, user.token, user.authenticator);
    await service.sql("UPDATE sessions SET step_up_ceremony_at = now() + interval '1 second' WHERE id = $1", [
      signInOf(user.token).sid,
    ]);
    const before = await service.sql('SELECT counter, last_used_at FROM passkey_credentials WHERE id = $1', [
      user.passkeyId,
    ]);
    expect(await stepUp(service, user.token, { credential })).toMatchObject(NOT_ACCEPTED);
    expect(
      await service.sql('SELECT counter, last_used_at FROM passkey_credentials WHERE id = $1', [
        user.passkeyId,
      ]),
    ).toEqual(before);
    expect(await rowOf(user.token)).toMatchObject({ amr: ['pwd'], failed_confirmations: 1 });
  });

  it('the challenge of another session or purpose raises nothing', async () => {
    const user = await passkeyOwner();
    const other = await service.signIn(user);
    const ofOther = await stepUpAssertion(service, other.accessToken, user.authenticator);
    expect(await stepUp(service, user.token, { credential: ofOther })).toMatchObject(NOT_ACCEPTED);
    const ofSignIn = await user.authenticator.authenticate(await signInOptions(service));
    expect(await stepUp(service, user.token, { credential: ofSignIn })).toMatchObject(NOT_ACCEPTED);
    const ofStepUp = await stepUpAssertion(service, user.token, user.authenticator);
    const answer = await service.api('POST', '/auth/passkeys/login/verify', {
      body: { credential: ofStepUp },
    });
    expect(answer).toMatchObject(WRONG);
    expect(await rowOf(user.token)).toMatchObject({ amr: ['pwd'] });
  });

  it('the passkey of another user raises nothing', async () => {
    const [user, stranger] = [await passkeyOwner(), await passkeyOwner()];
    const { allowCredentials: _own, ...options } = await stepUpOptions(service, user.token);
    const credential = await stranger.authenticator.authenticate(options);
    expect(await stepUp(service, user.token, { credential })).toMatchObject(NOT_ACCEPTED);
    expect(await audited(user.id)).toMatchObject([{ details: { reason: 'credential' } }]);
  });

  it('an assertion without user verification or of another page raises nothing', async () => {
    const user = await passkeyOwner();
    for (const changes of BENT) {
      const credential = await stepUpAssertion(service, user.token, user.authenticator, changes);
      expect(await stepUp(service, user.token, { credential })).toMatchObject(NOT_ACCEPTED);
    }
    expect(await rowOf(user.token)).toMatchObject({ amr: ['pwd'] });
  });

  it('while passkeys are off there are no options, and a credential is invalid', async () => {
    const without = await serviceForThisTest();
    const { accessToken: token } = await without.signedIn();
    const options = await without.api('POST', '/auth/step-up/options', { token, body: {} });
    expect(options).toMatchObject({ status: 404 });
    const user = await passkeyOwner();
    const credential = await stepUpAssertion(service, user.token, user.authenticator);
    expect(await stepUp(without, token, { credential })).toMatchObject(INVALID);
  });
});

describe('sessions that were opened otherwise', () => {
  it('a minted session is fresh once its user has proved the password in it', async () => {
    const user = await service.createUser();
    const { token } = await mintTokens(service, user.id);
    const { data } = await stepUp(service, token, { password: user.password });
    expect(signInOf(data.accessToken).amr).toEqual(['mca', 'pwd']);
    expect(() => service.auth.authenticator.assertFresh(signInOf(data.accessToken), 300)).not.toThrow();
  });

  it('raising a child session raises neither its parent nor its siblings', async () => {
    const user = await service.signedIn({ role: 'PLATFORM_ADMIN' });
    const parent = await agedSession(service, user);
    const [child, sibling] = [await handOff(service, parent.token), await handOff(service, parent.token)];
    const [before, beside] = [await rowOf(parent.token), await rowOf(sibling.accessToken)];
    expect((await stepUp(service, child.accessToken, { password: user.password })).status).toBe(200);
    expect(await rowOf(parent.token)).toEqual(before);
    expect(await rowOf(sibling.accessToken)).toEqual(beside);
  });

  it('raising a parent does not raise the children that it has', async () => {
    const user = await service.signedIn({ role: 'PLATFORM_ADMIN' });
    const parent = await agedSession(service, user);
    const child = await handOff(service, parent.token);
    const before = await rowOf(child.accessToken);
    expect((await stepUp(service, parent.token, { password: user.password })).status).toBe(200);
    expect(await rowOf(child.accessToken)).toEqual(before);
  });

  it('a hand-off passes on the sign-in of the token that began it, not a later step-up', async () => {
    const user = await service.signedIn({ role: 'PLATFORM_ADMIN' });
    const parent = await agedSession(service, user);
    const { data: raised } = await stepUp(service, parent.token, { password: user.password });
    const old = await handOff(service, parent.token);
    expect(signInOf(old.accessToken).authTime).toBe(signInOf(parent.token).authTime);
    const fresh = await handOff(service, raised.accessToken);
    expect(signInOf(fresh.accessToken).authTime).toBe(signInOf(raised.accessToken).authTime);
  });
});

describe('a step-up that is overtaken while it waits', () => {
  const REVOKES = `UPDATE sessions SET is_revoked = true, revoked_at = now(), revoke_reason = 'logout' WHERE user_id = $1`;
  const OUTDATED = { status: 401, code: 'unauthorized' };

  it.each([
    ['the end of its session', REVOKES, ENDED],
    ['a raised token version', 'UPDATE users SET token_version = token_version + 1 WHERE id = $1', OUTDATED],
    ['a deactivation', 'UPDATE users SET is_active = false WHERE id = $1', { code: 'account_inactive' }],
    ['a new password', `UPDATE users SET password_hash = 'another' WHERE id = $1`, { status: 409 }],
  ])('a step-up with the password that is overtaken by %s raises nothing', async (_what, change, refusal) => {
    const user = await signedInAnHourAgo();
    const before = await rowOf(user.token);
    const answer = await overtaken(service, { userId: user.id, change }, () =>
      stepUp(service, user.token, { password: user.password }),
    );
    expect(answer).toMatchObject(refusal);
    expect(await rowOf(user.token)).toMatchObject({ amr: before?.amr, auth_time: before?.auth_time });
    expect(await audited(user.id)).toEqual([]);
  });

  it('a step-up with a passkey that is overtaken by the end of its session raises nothing', async () => {
    const user = await passkeyOwner();
    const credential = await stepUpAssertion(service, user.token, user.authenticator);
    const answer = await overtaken(service, { userId: user.id, change: REVOKES }, () =>
      stepUp(service, user.token, { credential }),
    );
    expect(answer).toMatchObject(ENDED);
    expect(await rowOf(user.token)).toMatchObject({ amr: ['pwd'] });
    const used = await service.sql(
      'SELECT 1 FROM passkey_credentials WHERE last_used_at IS NOT NULL AND id = $1',
      [user.passkeyId],
    );
    expect(used).toEqual([]);
  });
});
