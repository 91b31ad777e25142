import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CoreService } from '../../examples/core-service/core-service.js';
import { AuthenticatorApp } from '../support/authenticator-app.js';
import { cookiesSetBy, REFRESH } from '../support/cookie-browser.js';
import { enrolFactor } from '../support/enrolled-user.js';
import { externalEnv, newVerifier, s256Of } from '../support/external-client.js';
import { takeApart } from '../support/forged-token.js';
import { HostileProvider } from '../support/hostile-provider.js';
import { MailedSignInClient } from '../support/mailed-sign-in-client.js';
import { OperatorClient } from '../support/operator-client.js';
import { PASSKEY_ENV } from '../support/passkey-client.js';
import { NEW_PASSWORD, ResetClient } from '../support/reset-client.js';
import { growthBetween, scrape } from '../support/scrape.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { TestCompany } from '../support/test-company.js';
import { insertPasskey } from '../support/test-passkeys.js';
import { TRUSTED, TrustedBrowser, type FactorUser } from '../support/trusted-browser.js';

const CORE_KEY = 'key-of-the-core-service';
const ENV = {
  ...PASSKEY_ENV,
  AUTH_WEB_COOKIE_MODE: 'true',
  TRUSTED_DEVICE_DAYS: '30',
  SECOND_FACTOR: 'staff',
  STAFF_STEP_UP: 'off',
  LOGIN_RATE_LIMIT: '1000000',
  TRUST_PROXY: '1',
  MAILED_SIGN_IN: 'on',
};

let core: CoreService;
let provider: HostileProvider;
let service: TestService;
beforeAll(async () => {
  core = await CoreService.start({ apiKey: CORE_KEY });
  provider = await HostileProvider.start();
  service = await startTestService({
    env: externalEnv(provider, { ...ENV, CORE_BASE_URL: core.url, CORE_INTERNAL_API_KEY: CORE_KEY }),
  });
});
afterAll(async () => {
  await service.stop();
  provider.stop();
  await core.stop();
});

const auditOf = async (userId: string, event: string) =>
  (await service.sql(
    `SELECT details FROM auth_audit_logs WHERE subject_user_id = $1 AND event = $2 ORDER BY occurred_at, id`,
    [userId, event],
  )) as unknown as { details: Record<string, unknown> }[];

/** Sends a change of a user by a machine, which succeeds. */
async function byMachine(method: string, path: string, body?: unknown): Promise<void> {
  const answer = await service.machine(
    method,
    `/internal/admin/users/${path}`,
    body === undefined ? {} : { body },
  );
  expect(answer.status, answer.text).toBeLessThan(300);
}

/** Sends a request of the browser, which succeeds. */
async function byUser(browser: TrustedBrowser, method: string, path: string, body?: unknown) {
  const answer = await browser.api(method, path, body === undefined ? {} : { body });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
}

describe('a trusted device', () => {
  it('a sign-in that asks for a factor offers trust in cookie mode, and nowhere else', async () => {
    const user = await TrustedBrowser.newUser(service);
    const asked = await new TrustedBrowser(service).signIn(user);
    expect(asked.data.secondFactor).toMatchObject({ trustDeviceDays: 30 });
    const { email, password } = user;
    const elsewhere = await service.api('POST', '/auth/login', { body: { email, password } });
    expect(elsewhere.data.secondFactor).not.toHaveProperty('trustDeviceDays');
  });

  it('a trusted browser signs in without a second factor, at aal1, and the audit log names the device', async () => {
    const { browser, user } = await TrustedBrowser.ofTrustingUser(service);
    await byUser(browser, 'POST', '/auth/logout');
    const before = await scrape(service);
    const answer = await browser.signIn(user);
    expect(answer.data).not.toHaveProperty('secondFactor');
    expect(growthBetween(before, await scrape(service), 'latchkey_second_factors_total')).toEqual({
      'trusted_device success': 1,
    });
    const { claims } = takeApart(browser.jar.get('__Host-lk_access') ?? '');
    expect(claims).toMatchObject({ acr: 'aal1', amr: ['pwd'] });
    const [device] = (await browser.api('GET', '/auth/trusted-devices')).items;
    expect(device?.lastUsedAt).toEqual(expect.any(String));
    const logins = await auditOf(user.id, 'login');
    expect(logins.at(-1)?.details).toMatchObject({ method: 'password', trustedDeviceId: device?.id });
    expect(await auditOf(user.id, 'trusted_device_added')).toMatchObject([
      { details: { deviceId: device?.id } },
    ]);
    expect((await service.mailTo(user.email)).subject).toContain('trusted');
  });

  it('the cookie is out of reach of scripts and other hosts, lasts as long as the trust, and no response has the secret', async () => {
    const user = await TrustedBrowser.newUser(service);
    const answer = await new TrustedBrowser(service).signInTrusting(user);
    const cookie = cookiesSetBy(answer)[TRUSTED];
    expect(cookie?.attributes).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax', 'Secure']);
    expect(answer.text).not.toContain('lkd_');
    expect(JSON.stringify(answer.body)).not.toContain('trusted');
    const rows = await service.sql('SELECT * FROM trusted_devices WHERE user_id = $1', [user.id]);
    expect(JSON.stringify(rows)).not.toContain(cookie?.value ?? '');
  });

  it('a secret that is forged, expired, of another user or given without cookie mode is worth nothing', async () => {
    const { browser, user } = await TrustedBrowser.ofTrustingUser(service);
    const secret = browser.jar.get(TRUSTED) ?? '';
    const other = await TrustedBrowser.newUser(service);
    expect(await browser.isAsked(other)).toBe(true);
    const { email, password } = user;
    const bearer = await service.api('POST', '/auth/login', {
      body: { email, password },
      headers: { cookie: `${TRUSTED}=${secret}` },
    });
    expect(bearer.data).toHaveProperty('secondFactor');
    for (const forged of [
      '',
      'lkd_',
      `${secret}x`,
      secret.toUpperCase(),
      'a.b.c.d.e.f',
      '%00',
      `${secret}; ${TRUSTED}=x`,
    ]) {
      browser.jar.set(TRUSTED, forged);
      expect(await browser.isAsked(user), forged).toBe(true);
    }
    browser.jar.set(TRUSTED, secret);
    expect(await browser.isAsked(user)).toBe(false);
    await service.sql('UPDATE trusted_devices SET expires_at = now() WHERE user_id = $1', [user.id]);
    expect(await browser.isAsked(user)).toBe(true);
    expect((await browser.api('GET', '/auth/trusted-devices')).items).toEqual([]);
  });

  it('several users trust one browser, and a sign-in of another user leaves the trust of the first', async () => {
    const { browser, user } = await TrustedBrowser.ofTrustingUser(service);
    const second = await TrustedBrowser.newUser(service);
    expect(await browser.isAsked(second)).toBe(true);
    expect(await browser.isAsked(user)).toBe(false);
    await browser.signInTrusting(second);
    expect(await browser.isAsked(user)).toBe(false);
    expect(await browser.isAsked(second)).toBe(false);
    expect(browser.jar.get(TRUSTED)?.split('.')).toHaveLength(2);
  });

  it('a user who trusts a browser again replaces the device and keeps those of others', async () => {
    const { browser, user } = await TrustedBrowser.ofTrustingUser(service);
    const second = await TrustedBrowser.newUser(service);
    await browser.signInTrusting(second);
    await service.sql('UPDATE trusted_devices SET expires_at = now() WHERE user_id = $1', [user.id]);
    await browser.signInTrusting(user);
    expect(browser.jar.get(TRUSTED)?.split('.')).toHaveLength(2);
    expect((await browser.api('GET', '/auth/trusted-devices')).items).toHaveLength(1);
    expect(await browser.isAsked(second)).toBe(false);
  });

  it('a user has at most ten devices, and the oldest goes', async () => {
    const { browser, user } = await TrustedBrowser.ofTrustingUser(service);
    await service.sql(
      `INSERT INTO trusted_devices (id, user_id, secret_digest, token_version, factor_version, created_at, expires_at)
       SELECT gen_random_uuid(), $1, sha256(n::text::bytea), 1, 0, now() + n * interval '1 second', now() + interval '1 day'
       FROM generate_series(1, 9) AS n`,
      [user.id],
    );
    const another = new TrustedBrowser(service);
    const asked = await another.signIn(user);
    const { challenge } = asked.data.secondFactor as { challenge: string };
    await byUser(another, 'POST', '/auth/login/second-factor', {
      challenge,
      code: user.code(1),
      trustDevice: true,
    });
    expect((await another.api('GET', '/auth/trusted-devices')).items).toHaveLength(10);
    expect(await browser.isAsked(user)).toBe(true);
    expect(await auditOf(user.id, 'trusted_device_removed')).toMatchObject([
      { details: { reason: 'limit' } },
    ]);
  });

  it('a sign-in by mail on a trusted browser is not asked either', async () => {
    const { browser, user } = await TrustedBrowser.ofTrustingUser(service);
    const { verifier, code } = await new MailedSignInClient(service).asked(user.email);
    const answer = await browser.api('POST', '/auth/login/mail/finish', { body: { verifier, code } });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.data).not.toHaveProperty('secondFactor');
    expect(takeApart(browser.jar.get('__Host-lk_access') ?? '').claims).toMatchObject({
      acr: 'aal1',
      amr: ['otp'],
    });
  });

  it('an own way of the app to sign in takes the secrets that the app passes', async () => {
    const { browser, user } = await TrustedBrowser.ofTrustingUser(service);
    const client = { ipAddress: null, userAgent: null, deviceName: null, requestId: null };
    const proof = { userId: user.id, method: 'badge', amr: ['otp'] as const };
    const trustedDevices = browser.jar.get(TRUSTED)?.split('.') ?? [];
    expect(await service.auth.signIn.begin({ ...proof, client })).toHaveProperty('secondFactor');
    const result = await service.auth.signIn.begin({ ...proof, client: { ...client, trustedDevices } });
    expect(result).toHaveProperty('accessToken');
  });
});

describe('a second factor that is required on a trusted device', () => {
  it('a company that requires a second factor still does', async () => {
    const company = new TestCompany(service);
    core.set(company.id, { modules: ['billing'], requireSecondFactor: true });
    const { browser, user } = await TrustedBrowser.ofTrustingUser(service);
    await company.join(user.id);
    const access = () => browser.api('GET', '/auth/me/access', { headers: { 'x-org': company.id } });
    expect((await access()).status).toBe(200);
    expect(await browser.isAsked(user)).toBe(false);
    expect((await access()).code).toBe('second_factor_required');
  });

  it('a step-up still asks for a code', async () => {
    const { browser, user } = await TrustedBrowser.ofTrustingUser(service);
    expect(await browser.isAsked(user)).toBe(false);
    const renew = () => browser.api('POST', '/auth/factors/recovery-codes', { body: {} });
    expect((await renew()).code).toBe('reauthentication_required');
    await byUser(browser, 'POST', '/auth/step-up', { code: user.code(0) });
    expect((await renew()).status).toBe(200);
  });

  it('staff who must have a second factor can trust no device', async () => {
    const user = await TrustedBrowser.newUser(service, { role: 'PLATFORM_MODERATOR' });
    const browser = new TrustedBrowser(service);
    const asked = await browser.signIn(user);
    expect(asked.data.secondFactor).not.toHaveProperty('trustDeviceDays');
    const { challenge } = asked.data.secondFactor as { challenge: string };
    const body = { challenge, code: user.code(), trustDevice: true };
    const refused = await browser.api('POST', '/auth/login/second-factor', { body });
    expect([refused.status, refused.code]).toEqual([400, 'validation_error']);
    expect(refused.message).toContain('trustDevice');
    // The code was not spent.
    await byUser(browser, 'POST', '/auth/login/second-factor', { challenge, code: body.code });
    expect(browser.jar.has(TRUSTED)).toBe(false);
  });

  it('a device of a user who becomes staff is worth nothing', async () => {
    const { browser, user } = await TrustedBrowser.ofTrustingUser(service);
    // As if a version before had changed the role without the removal.
    await service.sql(`UPDATE users SET global_role = 'PLATFORM_MODERATOR' WHERE id = $1`, [user.id]);
    expect(await browser.isAsked(user)).toBe(true);
  });
});

describe('the request to trust a device', () => {
  it('a client without cookie mode gets 400, and its code is not spent', async () => {
    const { email, password, code: codeOf } = await TrustedBrowser.newUser(service);
    const asked = await service.api('POST', '/auth/login', { body: { email, password } });
    const { challenge } = asked.data.secondFactor as { challenge: string };
    const code = codeOf();
    const refused = await service.api('POST', '/auth/login/second-factor', {
      body: { challenge, code, trustDevice: true },
    });
    expect([refused.status, refused.code]).toEqual([400, 'validation_error']);
    expect(refused.message).toContain('X-Auth-Mode: cookie');
    const accepted = await service.api('POST', '/auth/login/second-factor', { body: { challenge, code } });
    expect(accepted.status, accepted.text).toBe(200);
  });

  it('a wrong code and one without trustDevice trust nothing', async () => {
    const user = await TrustedBrowser.newUser(service);
    const browser = new TrustedBrowser(service);
    const { challenge } = (await browser.signIn(user)).data.secondFactor as { challenge: string };
    const wrong = await browser.api('POST', '/auth/login/second-factor', {
      body: { challenge, code: '000000', trustDevice: true },
    });
    expect(wrong.status).toBe(401);
    await byUser(browser, 'POST', '/auth/login/second-factor', {
      challenge,
      code: user.code(),
      trustDevice: false,
    });
    expect(browser.jar.has(TRUSTED)).toBe(false);
    expect(await browser.isAsked(user)).toBe(true);
  });

  it('20 simultaneous sign-ins on a trusted browser all succeed, and those that race with its removal are asked afterwards', async () => {
    const { browser, user } = await TrustedBrowser.ofTrustingUser(service);
    const signIns = await Promise.all(
      Array.from({ length: 20 }, () =>
        browser.apiUnnoted('POST', '/auth/login', { body: { email: user.email, password: user.password } }),
      ),
    );
    expect(signIns.filter(({ data }) => data.secondFactor !== undefined)).toEqual([]);
    const race = Array.from({ length: 10 }, () =>
      browser.apiUnnoted('POST', '/auth/login', { body: { email: user.email, password: user.password } }),
    );
    await byMachine('POST', `${user.id}/revoke-all`);
    for (const { status } of await Promise.all(race)) expect(status).toBe(200);
    expect(await browser.isAsked(user)).toBe(true);
  });

  it('without the setting nothing is offered, asked or kept, and the routes do not exist', async () => {
    const off = await serviceForThisTest({ env: { ...ENV, TRUSTED_DEVICE_DAYS: '0' } });
    const user = await TrustedBrowser.newUser(off);
    const browser = new TrustedBrowser(off);
    const asked = await browser.signIn(user);
    expect(Object.keys(asked.data.secondFactor as object)).toEqual(['challenge', 'methods', 'expiresIn']);
    await browser.signInTrusting(user);
    expect(browser.jar.has(TRUSTED)).toBe(false);
    expect(await browser.isAsked(user)).toBe(true);
    expect((await browser.api('GET', '/auth/trusted-devices')).status).toBe(404);
    expect(await off.sql('SELECT 1 FROM trusted_devices')).toEqual([]);
  });
});

interface Ending {
  end: (browser: TrustedBrowser, user: FactorUser) => Promise<unknown>;
  reason: string;
  /** The password afterwards. */
  password?: string;
  /** True if the user has no factor afterwards: it is set up again, as before. */
  removesFactor?: boolean;
}

const ENDINGS: Record<string, Ending> = {
  'a change of the password': {
    end: (browser, { password: currentPassword }) =>
      byUser(browser, 'POST', '/auth/password/change', { currentPassword, newPassword: NEW_PASSWORD }),
    reason: 'password_changed',
    password: NEW_PASSWORD,
  },
  'a reset of the password': {
    end: async (_browser, user) => {
      const reset = new ResetClient(service);
      const answer = await reset.confirm(await reset.tokenFor(user.email), NEW_PASSWORD);
      expect(answer.status, answer.text).toBe(200);
    },
    reason: 'password_reset',
    password: NEW_PASSWORD,
  },
  'a new authenticator app': {
    end: async (browser) => {
      const { data } = await byUser(browser, 'POST', '/auth/factors/totp', { name: 'Tablet' });
      const code = new AuthenticatorApp(String(data.secret)).next();
      await byUser(browser, 'POST', `/auth/factors/totp/${data.id}/confirm`, { code });
    },
    reason: 'factor_added',
  },
  'the removal of an authenticator app': {
    end: (browser, { factorId }) => byUser(browser, 'DELETE', `/auth/factors/${factorId}`),
    reason: 'factor_removed',
    removesFactor: true,
  },
  'new recovery codes': {
    end: (browser) => byUser(browser, 'POST', '/auth/factors/recovery-codes', {}),
    reason: 'recovery_codes_renewed',
  },
  'a sign-in with a recovery code': {
    end: async (_browser, user) => {
      const another = new TrustedBrowser(service);
      const { challenge } = (await another.signIn(user)).data.secondFactor as { challenge: string };
      const [recoveryCode] = user.recoveryCodes;
      await byUser(another, 'POST', '/auth/login/second-factor', {
        challenge,
        recoveryCode,
        trustDevice: true,
      });
      expect(await another.isAsked(user)).toBe(false);
    },
    reason: 'recovery_code_used',
  },
  'a step-up with a recovery code': {
    end: (browser, { recoveryCodes: [recoveryCode] }) =>
      byUser(browser, 'POST', '/auth/step-up', { recoveryCode }),
    reason: 'recovery_code_used',
  },
  'a sign-out everywhere': {
    end: (browser) => byUser(browser, 'POST', '/auth/logout-all'),
    reason: 'logout_all',
  },
  'a sign-out of all other sessions': {
    end: (browser) => byUser(browser, 'POST', '/auth/logout-others'),
    reason: 'logout_others',
  },
  'the end of all sessions by an administrator': {
    end: (_browser, { id }) => byMachine('POST', `${id}/revoke-all`),
    reason: 'revoke_all',
  },
  'the end of all sessions of all users, for one who is signed in nowhere,': {
    end: async (browser, { id }) => {
      await byUser(browser, 'POST', '/auth/logout');
      await service.sql('DELETE FROM sessions WHERE user_id = $1', [id]);
      const operator = { kind: 'operator', name: 'tests' } as const;
      await service.auth.admin.sessions.revokeEveryone(operator, { reason: 'leak' });
    },
    reason: 'revoke_all',
  },
  'a new passkey': {
    end: async (browser, user) => {
      const { password: currentPassword } = user;
      const { data } = await byUser(browser, 'POST', '/auth/passkeys/register/options', { currentPassword });
      const options = data as unknown as Parameters<SoftwareAuthenticator['register']>[0];
      const credential = await new SoftwareAuthenticator().register(options);
      await byUser(browser, 'POST', '/auth/passkeys/register/verify', { credential });
    },
    reason: 'passkey_added',
  },
  'the removal of a passkey': {
    end: async (browser, { id }) =>
      byUser(browser, 'DELETE', `/auth/passkeys/${await insertPasskey(service.sql, id)}`),
    reason: 'passkey_removed',
  },
  'a linked account': {
    end: async (browser) => {
      const verifier = newVerifier();
      const begin = { connectionId: 'plain', purpose: 'link', challenge: s256Of(verifier) };
      const { data } = await byUser(browser, 'POST', '/auth/external/start', begin);
      const response = provider.visit(String(data.authorizationUrl), { sub: randomUUID() });
      await byUser(browser, 'POST', '/auth/external/finish', { ...response, verifier });
    },
    reason: 'identity_linked',
  },
  'the removal of a linked account': {
    end: async (_browser, { id, email }) => {
      await service.sql(
        `INSERT INTO external_identities (id, user_id, connection_id, subject)
         VALUES (gen_random_uuid(), $1, 'plain', gen_random_uuid()::text)`,
        [id],
      );
      await new OperatorClient(service).json(['identities', 'unlink', email, '--yes']);
    },
    reason: 'identity_unlinked',
  },
  'a deactivation': {
    end: async (_browser, { id }) => {
      await byMachine('PATCH', id, { isActive: false });
      await byMachine('PATCH', id, { isActive: true });
    },
    reason: 'deactivated',
  },
  'a change of the role': {
    end: async (_browser, { id }) => {
      await byMachine('PATCH', id, { globalRole: 'PLATFORM_MODERATOR' });
      await byMachine('PATCH', id, { globalRole: 'NONE' });
    },
    reason: 'role_changed',
  },
  'a reset of the factors': {
    end: (_browser, { id }) => byMachine('DELETE', `${id}/factors`, { reason: 'lost' }),
    reason: 'factors_reset',
    removesFactor: true,
  },
  'a reused refresh token': {
    end: async (browser) => {
      const refreshToken = browser.jar.get(REFRESH);
      await byUser(browser, 'POST', '/auth/refresh');
      await byUser(browser, 'POST', '/auth/refresh');
      const reused = await service.api('POST', '/auth/refresh', { body: { refreshToken } });
      expect(reused.code).toBe('session_revoked');
    },
    reason: 'refresh_reuse',
  },
  'a removal by an operator': {
    end: async (_browser, { email }) => {
      const operator = new OperatorClient(service);
      const args = ['users', 'remove-trusted-devices', email, '--yes'];
      expect(await operator.json(args)).toEqual({ status: 'ok', removed: 1 });
    },
    reason: 'removed',
  },
  'a removal by the user': {
    end: async (browser) => {
      const [device] = (await browser.api('GET', '/auth/trusted-devices')).items;
      await byUser(browser, 'DELETE', `/auth/trusted-devices/${device?.id}`);
    },
    reason: 'removed',
  },
  'a removal of all by the user': {
    end: (browser) => byUser(browser, 'DELETE', '/auth/trusted-devices'),
    reason: 'removed',
  },
  'a removal by an administrator': {
    end: (_browser, { id }) => byMachine('DELETE', `${id}/trusted-devices`),
    reason: 'removed',
  },
};

describe('the end of trust', () => {
  it.each(Object.entries(ENDINGS))('%s ends the trust in a device', async (_what, ending) => {
    const { browser, user } = await TrustedBrowser.ofTrustingUser(service);
    expect(await browser.isAsked(user)).toBe(false);
    // The proof of the second factor belongs to the session that trusted the browser.
    await service.sql(`UPDATE sessions SET acr = 'aal2', second_factor_at = now() WHERE user_id = $1`, [
      user.id,
    ]);
    await byUser(browser, 'POST', '/auth/refresh');
    await ending.end(browser, user);
    expect(await auditOf(user.id, 'trusted_device_removed')).toMatchObject([
      { details: { reason: ending.reason, removed: 1 } },
    ]);
    if (ending.removesFactor) await enrolFactor(service.sql, user.id);
    expect(await browser.isAsked({ ...user, password: ending.password ?? user.password })).toBe(true);
  });

  it('an erasure removes the devices', async () => {
    const { user } = await TrustedBrowser.ofTrustingUser(service);
    await byMachine('DELETE', `${user.id}/personal-data`, { reason: 'asked' });
    expect(await service.sql('SELECT 1 FROM trusted_devices WHERE user_id = $1', [user.id])).toEqual([]);
  });

  it('the export of personal data has the devices', async () => {
    const { browser } = await TrustedBrowser.ofTrustingUser(service);
    const { data } = await byUser(browser, 'GET', '/auth/me/export');
    expect(data.trustedDevices).toMatchObject([{ lastUsedAt: null }]);
  });

  it('the device of another user cannot be removed or seen', async () => {
    const { browser, user } = await TrustedBrowser.ofTrustingUser(service);
    const stranger = await TrustedBrowser.ofTrustingUser(service);
    const [device] = (await browser.api('GET', '/auth/trusted-devices')).items;
    const refused = await stranger.browser.api('DELETE', `/auth/trusted-devices/${device?.id}`);
    expect(refused.code).toBe('not_found');
    const list = `/internal/users/${user.id}/trusted-devices`;
    expect((await stranger.browser.api('GET', list)).code).toBe('forbidden');
    expect((await stranger.browser.api('DELETE', list)).code).toBe('forbidden');
    expect(await browser.isAsked(user)).toBe(false);
  });
});
