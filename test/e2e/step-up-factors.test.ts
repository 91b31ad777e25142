import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enrolFactor } from '../support/enrolled-user.js';
import { startGuardedHost, type GuardedHost } from '../support/guarded-host.js';
import { handOff } from '../support/hand-off.js';
import { mintTokens } from '../support/minted-token.js';
import { PASSKEY_ENV, passkeysOf, registerPasskey, signInWithPasskey } from '../support/passkey-client.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { agedSession, signInOf, stepUp } from '../support/step-up-client.js';
import { PASSWORD } from '../support/test-users.js';

const WRONG = { status: 401, code: 'unauthorized', message: 'The code is wrong or was used before.' };
const REFUSED = { status: 401, code: 'reauthentication_required' };
const FACTOR_CHALLENGE = 'Bearer error="insufficient_user_authentication", acr_values="aal2", max_age=900';
const WRONG_CODE = '000000';

let service: TestService;
let host: GuardedHost;
beforeAll(async () => {
  service = await startTestService({ env: { ...PASSKEY_ENV, TRUST_PROXY: '1' } });
  host = await startGuardedHost(service.auth, (mount, { requireFactors, requireFresh }) => {
    mount('/one', requireFactors(1));
    mount('/two', requireFactors(2));
    mount('/both', requireFresh('5m'), requireFactors(2));
  });
});
afterAll(async () => {
  await host.stop();
  await service.stop();
});

/** A user who signed in by password an hour ago and has an authenticator app. */
async function enrolled() {
  const user = await service.signedIn();
  const aged = await agedSession(service, user);
  return { ...user, ...aged, factor: await enrolFactor(service.sql, user.id) };
}

const ask = (path: string, token: string) => host.client.send('GET', path, { token });
const audited = (userId: string) =>
  service.sql(
    `SELECT outcome, details FROM auth_audit_logs WHERE event = 'step_up' AND subject_user_id = $1 ORDER BY id`,
    [userId],
  );

describe('a step-up with a code', () => {
  it('a code raises a session with a first factor to two factors, and refreshed tokens keep them', async () => {
    const user = await enrolled();
    const { status, data } = await stepUp(service, user.token, { code: user.factor.code() });
    expect(status).toBe(200);
    expect(signInOf(data.accessToken)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], acr: 'aal2' });
    expect(signInOf(data.accessToken).authTime).toBeGreaterThan(signInOf(user.token).authTime + 3_500);
    const { refreshToken } = user;
    const refreshed = await service.api('POST', '/auth/refresh', { body: { refreshToken } });
    expect(signInOf(refreshed.data.accessToken)).toEqual(signInOf(data.accessToken));
    const details = { method: 'code', kind: 'totp', factorId: user.factor.factorId };
    expect(await audited(user.id)).toEqual([{ outcome: 'success', details }]);
  });

  it('a code raises one session once', async () => {
    const user = await service.signedIn();
    const [other, { token }] = [await service.signIn(user), await agedSession(service, user)];
    const factor = await enrolFactor(service.sql, user.id);
    const code = factor.code();
    expect((await stepUp(service, token, { code })).status).toBe(200);
    expect(await stepUp(service, token, { code })).toMatchObject(WRONG);
    expect(await stepUp(service, other.accessToken, { code })).toMatchObject(WRONG);
  });

  it('a recovery code raises a session once; audit log and mail say how many are left', async () => {
    const user = await enrolled();
    const [recoveryCode = ''] = user.factor.recoveryCodes;
    const { data } = await stepUp(service, user.token, { recoveryCode: recoveryCode.toUpperCase() });
    expect(signInOf(data.accessToken)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], acr: 'aal2' });
    expect(await stepUp(service, user.token, { recoveryCode })).toMatchObject(WRONG);
    expect(await audited(user.id)).toMatchObject([
      { outcome: 'success', details: { method: 'recovery_code', codesLeft: 9 } },
      { outcome: 'failure', details: { method: 'recovery_code' } },
    ]);
    expect((await service.mailTo(user.email)).text).toContain('9 codes are left');
  });

  it('a wrong code raises nothing and counts for the session', async () => {
    const user = await enrolled();
    for (const proof of [{ code: WRONG_CODE }, { code: 'not a code' }, { recoveryCode: 'nor this' }]) {
      expect(await stepUp(service, user.token, proof)).toMatchObject(WRONG);
    }
    const [row] = await service.sql('SELECT amr, acr, failed_confirmations FROM sessions WHERE id = $1', [
      signInOf(user.token).sid,
    ]);
    expect(row).toMatchObject({ amr: ['pwd'], acr: 'aal1', failed_confirmations: 3 });
  });

  it('wrong codes count for the account too, so that handed-on sessions bring no further guesses', async () => {
    const staff = await service.signedIn({ role: 'PLATFORM_ADMIN' });
    await enrolFactor(service.sql, staff.id);
    const statuses: number[] = [];
    // An address that never signed this user in.
    const guess = async (token: string) =>
      statuses.push((await stepUp(service, token, { code: WRONG_CODE }, '203.0.113.9')).status);
    for (let session = 0; session < 3; session += 1) {
      const { accessToken } = await handOff(service, staff.accessToken);
      for (let attempt = 0; attempt < 9; attempt += 1) await guess(accessToken);
    }
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(21);
    expect(statuses.at(-1)).toBe(429);
    expect((await stepUp(service, staff.accessToken, { password: PASSWORD })).status).toBe(200);
  });

  it('a code of a user without a factor is wrong', async () => {
    const { accessToken } = await service.signedIn();
    expect(await stepUp(service, accessToken, { code: '123456' })).toMatchObject(WRONG);
  });

  it('a minted session needs a first factor before a code, which is not spent', async () => {
    const user = await service.createUser();
    const factor = await enrolFactor(service.sql, user.id);
    const { token } = await mintTokens(service, user.id);
    const code = factor.code();
    expect(await stepUp(service, token, { code })).toMatchObject({ status: 409, code: 'conflict' });
    const { data } = await stepUp(service, token, { password: user.password });
    expect(signInOf(data.accessToken)).toMatchObject({ amr: ['mca', 'pwd'], acr: 'aal1' });
    const second = await stepUp(service, data.accessToken, { code });
    expect(signInOf(second.data.accessToken)).toMatchObject({
      amr: ['mca', 'pwd', 'otp', 'mfa'],
      acr: 'aal2',
    });
  });

  it('the code of a hand-off is no second factor, and a child is raised by a code of its own', async () => {
    const staff = await service.signedIn({ role: 'PLATFORM_ADMIN' });
    const factor = await enrolFactor(service.sql, staff.id);
    const child = await handOff(service, staff.accessToken);
    expect(signInOf(child.accessToken)).toMatchObject({ amr: ['pwd', 'otp'], acr: 'aal1' });
    const { data } = await stepUp(service, child.accessToken, { code: factor.code() });
    expect(signInOf(data.accessToken)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'], acr: 'aal2' });
    const grandchild = await handOff(service, child.accessToken);
    expect(signInOf(grandchild.accessToken)).toMatchObject({ acr: 'aal1' });
  });

  it('while second factors are off a code is invalid', async () => {
    const off = await serviceForThisTest({ env: { SECOND_FACTOR: 'off' } });
    const { accessToken } = await off.signedIn();
    for (const proof of [{ code: '123456' }, { recoveryCode: 'aaaaa-bbbbb-ccccc' }]) {
      expect(await stepUp(off, accessToken, proof)).toMatchObject({ status: 400 });
    }
  });

  it('a right code or recovery code without the key that encrypts it is no wrong guess', async () => {
    const user = await enrolled();
    const otherKey = Buffer.alloc(32, 9).toString('base64');
    const keyless = await serviceForThisTest({
      databaseUrl: service.databaseUrl,
      env: { FACTOR_ENCRYPTION_KEYS: otherKey, AUTH_BASE_URL: service.publicUrl },
    });
    expect(await stepUp(keyless, user.token, { code: user.factor.code() })).toMatchObject({ status: 503 });
    const [recoveryCode = ''] = user.factor.recoveryCodes;
    expect(await stepUp(keyless, user.token, { recoveryCode })).toMatchObject({ status: 503 });
    expect((await stepUp(service, user.token, { recoveryCode })).status).toBe(200);
  });
});

describe('requireFactors', () => {
  it('requireFactors(2) asks a sign-in with one factor for the level, as RFC 9470 specifies', async () => {
    const user = await enrolled();
    expect((await ask('/one', user.token)).status).toBe(200);
    const refused = await ask('/two', user.token);
    expect(refused).toMatchObject(REFUSED);
    expect(refused.headers['www-authenticate']).toBe(
      'Bearer error="insufficient_user_authentication", acr_values="aal2"',
    );
    const { data } = await stepUp(service, user.token, { code: user.factor.code() });
    expect((await ask('/two', data.accessToken)).status).toBe(200);
    expect(await ask('/two', user.token)).toMatchObject(REFUSED);
  });

  it('requireFactors(2) accepts a passkey, and neither a password step-up nor the methods of a hand-off', async () => {
    const staff = await service.signedIn({ role: 'PLATFORM_ADMIN' });
    const { data } = await stepUp(service, staff.accessToken, { password: PASSWORD });
    const child = await handOff(service, data.accessToken);
    for (const token of [data.accessToken, child.accessToken])
      expect(await ask('/both', token)).toMatchObject(REFUSED);
    const authenticator = new SoftwareAuthenticator();
    await registerPasskey(service, { ...staff, token: data.accessToken }, authenticator);
    const signedIn = await signInWithPasskey(service, authenticator);
    expect((await ask('/both', signedIn.data.accessToken)).status).toBe(200);
  });
});

describe('changes of how a user with a second factor signs in', () => {
  const removal = (token: string, id: string) => service.api('DELETE', `/auth/passkeys/${id}`, { token });
  const options = (token: string) =>
    service.api('POST', '/auth/passkeys/register/options', { token, body: { currentPassword: PASSWORD } });

  it('adding and removing a passkey require a second factor that was proved lately, and the password is not enough', async () => {
    const user = await service.signedIn();
    const authenticator = new SoftwareAuthenticator();
    await registerPasskey(service, { ...user, token: user.accessToken }, authenticator);
    const [passkeyId = ''] = await passkeysOf(service, { token: user.accessToken });
    const factor = await enrolFactor(service.sql, user.id);
    for (const answer of [await options(user.accessToken), await removal(user.accessToken, passkeyId)]) {
      expect(answer).toMatchObject(REFUSED);
      expect(answer.headers['www-authenticate']).toBe(FACTOR_CHALLENGE);
    }
    const { data: raised } = await stepUp(service, user.accessToken, { code: factor.code() });
    expect(await removal(user.accessToken, passkeyId)).toMatchObject(REFUSED);
    expect((await options(raised.accessToken)).status).toBe(200);
    expect((await removal(raised.accessToken, passkeyId)).status).toBe(200);
  });

  it('a second factor of long ago is not enough, also after a step-up with the password', async () => {
    const user = await service.signedIn();
    const factor = await enrolFactor(service.sql, user.id);
    const { data: raised } = await stepUp(service, user.accessToken, { code: factor.code(-1) });
    await service.sql("UPDATE sessions SET second_factor_at = now() - interval '1 hour' WHERE id = $1", [
      signInOf(user.accessToken).sid,
    ]);
    const { data: again } = await stepUp(service, raised.accessToken, { password: PASSWORD });
    expect(signInOf(again.accessToken)).toMatchObject({ acr: 'aal2' });
    expect(await options(again.accessToken)).toMatchObject(REFUSED);
    const { data: proved } = await stepUp(service, again.accessToken, { code: factor.code() });
    expect((await options(proved.accessToken)).status).toBe(200);
  });

  it('a sign-in by passkey is a second factor for as long as a step-up', async () => {
    const user = await service.signedIn();
    const authenticator = new SoftwareAuthenticator();
    await registerPasskey(service, { ...user, token: user.accessToken }, authenticator);
    await enrolFactor(service.sql, user.id);
    const { data } = await signInWithPasskey(service, authenticator);
    expect((await options(data.accessToken)).status).toBe(200);
    await service.sql("UPDATE sessions SET created_at = now() - interval '1 hour' WHERE id = $1", [
      signInOf(data.accessToken).sid,
    ]);
    expect(await options(data.accessToken)).toMatchObject(REFUSED);
  });

  it('a wrong password does not count while the second factor is missing', async () => {
    const user = await enrolled();
    const path = '/auth/passkeys/register/options';
    const body = { currentPassword: 'a wrong one' };
    expect(await service.api('POST', path, { token: user.token, body })).toMatchObject(REFUSED);
    const [row] = await service.sql('SELECT failed_confirmations FROM sessions WHERE id = $1', [
      signInOf(user.token).sid,
    ]);
    expect(row).toEqual({ failed_confirmations: 0 });
  });

  it('while second factors are off, those that are set up are not asked for', async () => {
    const off = await serviceForThisTest({ env: { ...PASSKEY_ENV, SECOND_FACTOR: 'off' } });
    const user = await off.signedIn();
    await enrolFactor(off.sql, user.id);
    const body = { currentPassword: PASSWORD };
    const answer = await off.api('POST', '/auth/passkeys/register/options', {
      token: user.accessToken,
      body,
    });
    expect(answer.status).toBe(200);
  });
});
