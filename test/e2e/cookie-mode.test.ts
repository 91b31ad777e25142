import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, ApiOptions } from '../support/api-client.js';
import {
  ACCESS,
  CLEARED,
  CookieBrowser,
  cookiesSetBy,
  DEVICE,
  REFRESH,
  STATE,
  type SetCookie,
} from '../support/cookie-browser.js';
import { freshEmail, InvitationClient } from '../support/invitation-client.js';
import { mintTokens, signedInUser } from '../support/minted-token.js';
import { PASSKEY_ENV, registerPasskey, signInWithPasskey } from '../support/passkey-client.js';
import { generationOf } from '../support/refresh.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';
import { insertMembership } from '../support/test-memberships.js';
import { PASSWORD } from '../support/test-users.js';
import { waitUntil } from '../support/wait-until.js';

const COOKIE_MODE = { AUTH_WEB_COOKIE_MODE: 'true' };
const TWO_WEEKS = 14 * 24 * 3600;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ env: { ...COOKIE_MODE, ...PASSKEY_ENV } });
});
afterAll(() => service.stop());

const any = expect.any(String) as string;

/** Returns the cookies of a sign-in, whose tokens live for that many seconds. */
const tokenCookies = (access = 900, refresh = TWO_WEEKS): Record<string, SetCookie> => ({
  [ACCESS]: {
    value: any,
    attributes: ['HttpOnly', `Max-Age=${access}`, 'Path=/', 'SameSite=Lax', 'Secure'],
  },
  [REFRESH]: {
    value: expect.stringMatching(/^lkr_[\w-]{72}$/) as string,
    attributes: ['HttpOnly', `Max-Age=${refresh}`, 'Path=/', 'SameSite=Lax', 'Secure'],
  },
  [STATE]: { value: '1', attributes: [`Max-Age=${refresh}`, 'Path=/', 'SameSite=Lax', 'Secure'] },
});

function expectSignedIn(answer: Answer, data: Record<string, unknown> = {}): void {
  expect(answer.status, answer.text).toBe(200);
  expect(answer.data).toEqual({ expiresIn: 900, tokenType: 'Bearer', ...data });
  expect(sessionCookiesSetBy(answer)).toEqual(tokenCookies());
}

/** Returns the cookies that a response sets, without that of the device. */
function sessionCookiesSetBy(answer: Answer): Record<string, SetCookie> {
  const { [DEVICE]: _device, ...cookies } = cookiesSetBy(answer);
  return cookies;
}

function expectNoCookies(answer: Answer): void {
  expect(answer.headers).not.toHaveProperty('set-cookie');
}

const sessionIn = (browser: CookieBrowser): unknown => decodeJwt(browser.jar.get(ACCESS) ?? '').sid;

const sessionsAreLocked = async (): Promise<boolean> => {
  const locks = await service.sql(
    "SELECT 1 FROM pg_locks WHERE relation = 'sessions'::regclass AND mode = 'AccessExclusiveLock' AND granted",
  );
  return locks.length > 0;
};

const isRevoked = async (sessionId: unknown): Promise<unknown> => {
  const rows = await service.sql('SELECT is_revoked FROM sessions WHERE id = $1', [sessionId]);
  return rows[0]?.is_revoked;
};

describe('a sign-in in cookie mode', () => {
  it('a sign-in in cookie mode puts both tokens into cookies and not into the body', async () => {
    const { email } = await service.createUser();
    const browser = new CookieBrowser(service);

    expectSignedIn(await browser.api('POST', '/auth/login', { body: { email, password: PASSWORD } }));
    expect((await browser.api('GET', '/auth/me')).data).toMatchObject({ email });
  });

  it('a sign-in in cookie mode is possible without an Origin, for clients that are not browsers', async () => {
    const { email } = await service.createUser();
    const headers = { 'x-auth-mode': 'cookie' };
    const body = { email, password: PASSWORD };

    expectSignedIn(await service.api('POST', '/auth/login', { body, headers }));
  });

  it('cookie mode is selected by the value "cookie" in any case, and by no other', async () => {
    const { email } = await service.createUser();
    const body = { email, password: PASSWORD };
    const login = (mode: string) =>
      service.api('POST', '/auth/login', { body, headers: { 'x-auth-mode': mode } });

    expectSignedIn(await login('Cookie'));
    for (const mode of ['', 'cookies', 'bearer', 'true', 'cookie, cookie', '"cookie"']) {
      const answer = await login(mode);
      expectNoCookies(answer);
      expect(answer.data).toMatchObject({ accessToken: any, refreshToken: any });
    }
  });

  it('a failed sign-in in cookie mode sets nothing', async () => {
    const { email } = await service.createUser();
    const browser = new CookieBrowser(service);
    const answer = await browser.api('POST', '/auth/login', { body: { email, password: 'not this one' } });

    expect(answer).toMatchObject({ status: 401, code: 'unauthorized' });
    expectNoCookies(answer);
  });

  it('a sign-in in cookie mode lasts no longer than a session can', async () => {
    const short = await serviceForThisTest({
      env: { ...COOKIE_MODE, ACCESS_TOKEN_TTL: '60', REFRESH_TOKEN_TTL: '2h', SESSION_MAX_LIFETIME: '1h' },
    });
    const { email } = await short.createUser();
    const answer = await new CookieBrowser(short).api('POST', '/auth/login', {
      body: { email, password: PASSWORD },
    });

    expect(sessionCookiesSetBy(answer)).toEqual(tokenCookies(60, 3600));
  });

  it('a sign-in in cookie mode by a hand-off code keeps the company in the body', async () => {
    const company = randomUUID();
    const user = await signedInUser(service);
    await insertMembership(service.sql, { userId: user.id, companyId: company });
    const { data } = await service.api('POST', '/auth/handoff/create', {
      token: user.token,
      headers: { 'x-org': company },
    });
    const browser = new CookieBrowser(service);
    const answer = await browser.api('POST', '/auth/handoff/exchange', { body: { code: data.code } });

    expectSignedIn(answer, { organizationId: company });
    expect((await browser.api('GET', '/auth/me')).data.id).toBe(user.id);
  });

  it('a step-up in cookie mode replaces the access cookie and leaves the refresh cookie', async () => {
    const { email } = await service.createUser();
    const browser = new CookieBrowser(service);
    await browser.api('POST', '/auth/login', { body: { email, password: PASSWORD } });
    const [session, access, refresh] = [
      sessionIn(browser),
      browser.jar.get(ACCESS),
      browser.jar.get(REFRESH),
    ];
    const answer = await browser.api('POST', '/auth/step-up', { body: { password: PASSWORD } });

    expect(answer.status, answer.text).toBe(200);
    expect(answer.data).toEqual({ expiresIn: 900 });
    expect(cookiesSetBy(answer)).toEqual({ [ACCESS]: tokenCookies()[ACCESS] });
    expect(browser.jar.get(ACCESS)).not.toBe(access);
    expect([sessionIn(browser), browser.jar.get(REFRESH)]).toEqual([session, refresh]);
    expect((await browser.api('GET', '/auth/me')).data).toMatchObject({ email });
  });

  it('a sign-in in cookie mode by a passkey is no different', async () => {
    const user = await signedInUser(service);
    const authenticator = new SoftwareAuthenticator();
    await registerPasskey(service, user, authenticator);
    const browser = new CookieBrowser(service);

    expectSignedIn(await signInWithPasskey(browser, authenticator));
    expect((await browser.api('GET', '/auth/me')).data.id).toBe(user.id);
  });

  it('a machine that opens a session for a user never gets cookies', async () => {
    const { id } = await service.createUser();
    const answer = await service.machine('POST', `/internal/admin/users/${id}/sessions`, {
      headers: { 'x-auth-mode': 'cookie' },
    });

    expectNoCookies(answer);
    expect(answer.data).toMatchObject({ accessToken: any, refreshToken: any });
  });
});

describe('accepting an invitation in cookie mode', () => {
  let testClient: InvitationClient;
  beforeAll(async () => {
    testClient = await InvitationClient.open(service);
  });
  const accept = (browser: CookieBrowser, body: object) =>
    browser.api('POST', '/auth/invitations/accept', { body });

  it('accepting an invitation in cookie mode signs a new user in by cookies', async () => {
    const { id, token } = await testClient.invite();
    const answer = await accept(new CookieBrowser(service), { token, password: PASSWORD });

    expectSignedIn(answer, { invitation: expect.objectContaining({ id }) as object });
  });

  it('accepting an invitation in cookie mode sets no cookies for a user who has an account', async () => {
    const { email } = await service.createUser();
    const { id, token } = await testClient.invite({ email });
    const answer = await accept(new CookieBrowser(service), { token });

    expect(answer.data).toMatchObject({ id, status: 'ACCEPTED' });
    expectNoCookies(answer);
  });

  it('accepting an invitation in cookie mode takes the user of the cookie for the invited one', async () => {
    const invited = await service.createUser();
    const { token } = await testClient.invite({ email: invited.email });
    const other = await CookieBrowser.ofNewUser(service);
    const own = await CookieBrowser.of(service, invited);

    expect(await accept(other, { token })).toMatchObject({ status: 403, code: 'forbidden' });
    expect((await accept(own, { token })).status).toBe(200);
  });

  it('accepting an invitation in cookie mode does not ignore an invalid cookie', async () => {
    const { token } = await testClient.invite({ email: freshEmail() });
    const browser = new CookieBrowser(service);
    browser.jar.set(ACCESS, 'nonsense');

    expect(await accept(browser, { token, password: PASSWORD })).toMatchObject({ status: 401 });
  });
});

describe('a request by cookie', () => {
  it('a request by cookie is signed in by the access cookie', async () => {
    const user = await service.createUser();
    const browser = await CookieBrowser.of(service, user);

    expect((await browser.api('GET', '/auth/me')).data.id).toBe(user.id);
    expect((await browser.api('GET', `/internal/users/${user.id}`)).data.id).toBe(user.id);
    expect((await browser.api('PATCH', '/auth/me', { body: { fullName: 'New Name' } })).status).toBe(200);
  });

  it('a request by cookie without the header is not signed in', async () => {
    const browser = await CookieBrowser.ofNewUser(service);
    for (const mode of [undefined, 'Bearer', 'cookies']) {
      const answer = await browser.api('GET', '/auth/me', { headers: { 'x-auth-mode': mode } });
      expect(answer).toMatchObject({ status: 401, code: 'unauthorized' });
    }
  });

  it('a request by cookie is decided by an Authorization header alone, if there is one', async () => {
    const [owner, other] = [await CookieBrowser.ofNewUser(service), await signedInUser(service)];
    expect((await owner.api('GET', '/auth/me', { token: other.token })).data.id).toBe(other.id);

    for (const authorization of ['Bearer nonsense', 'Bearer', '', 'Basic YTpi']) {
      const answer = await owner.api('GET', '/auth/me', { headers: { authorization } });
      expect([authorization, answer.status]).toEqual([authorization, 401]);
    }
  });

  it.each([
    ['twice', (token: string) => `${ACCESS}=${token}; ${ACCESS}=${token}`],
    ['twice, once empty', (token: string) => `${ACCESS}=${token}; ${ACCESS}=`],
    ['percent-encoded', (token: string) => `${ACCESS}=${token.replaceAll('.', '%2E')}`],
    ['in quotes', (token: string) => `${ACCESS}="${token}"`],
    ['with a broken escape', () => `${ACCESS}=%E0%A4%A`],
    ['under a name in another case', (token: string) => `${ACCESS.toUpperCase()}=${token}`],
    ['without its prefix', (token: string) => `lk_access=${token}`],
    ['of more than a browser keeps', (token: string) => `${ACCESS}=${token}${'A'.repeat(6_000)}`],
    ['empty', () => `${ACCESS}=`],
    ['with no value', () => ACCESS],
    ['of bytes that are no text', () => `${ACCESS}=\u00ff`],
    ['among broken ones', () => `=; ;; ${ACCESS}; __proto__=x; a==b`],
  ])('a request by a cookie %s is 401', async (_what, cookieOf) => {
    const browser = await CookieBrowser.ofNewUser(service);
    const cookie = cookieOf(browser.jar.get(ACCESS) ?? '');
    const answer = await browser.api('GET', '/auth/me', { headers: { cookie } });

    expect(answer).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('a request by cookie with a damaged or outdated token is 401', async () => {
    const user = await service.createUser();
    const browser = await CookieBrowser.of(service, user);
    await service.machine('POST', `/internal/admin/users/${user.id}/revoke-all`);

    expect(await browser.api('GET', '/auth/me')).toMatchObject({ status: 401, code: 'session_revoked' });
    browser.jar.set(ACCESS, 'nonsense-that-must-not-be-logged');
    service.client.secrets.add('nonsense-that-must-not-be-logged');
    const refused = await browser.api('GET', '/auth/me');
    expect(refused).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(refused.headers['www-authenticate']).toBe('Bearer');
    expectNoCookies(refused);
  });

  it('a request by cookie cannot use the refresh cookie as an access token, or the reverse', async () => {
    const browser = await CookieBrowser.ofNewUser(service);
    const [access = '', refresh = ''] = [browser.jar.get(ACCESS), browser.jar.get(REFRESH)];
    browser.jar.set(ACCESS, refresh).set(REFRESH, access);

    expect((await browser.api('GET', '/auth/me')).status).toBe(401);
    expect((await browser.api('POST', '/auth/refresh')).status).toBe(401);
  });
});

describe('a refresh by cookie', () => {
  it.each<[string, ApiOptions]>([
    ['no body', {}],
    ['an empty object', { body: {} }],
    ['an object with other fields', { body: { other: 1 } }],
  ])('a refresh by cookie needs %s and sets the cookies anew', async (_what, options) => {
    const user = await service.createUser();
    const browser = await CookieBrowser.of(service, user);
    const before = new Map(browser.jar);
    const answer = await browser.api('POST', '/auth/refresh', options);

    expectSignedIn(answer);
    expect(browser.jar.get(REFRESH)).not.toBe(before.get(REFRESH));
    expect(browser.jar.get(ACCESS)).not.toBe(before.get(ACCESS));
    expect(await generationOf(service, user.id)).toBe(1);
    expect((await browser.api('GET', '/auth/me')).data.id).toBe(user.id);
  });

  it('a refresh by cookie uses the token of the body, if there is one', async () => {
    const [owner, other] = [await service.createUser(), await signedInUser(service)];
    const browser = await CookieBrowser.of(service, owner);

    for (const refreshToken of ['lkr_nonsense', '']) {
      const answer = await browser.api('POST', '/auth/refresh', { body: { refreshToken } });
      expect(answer.status).toBe(refreshToken === '' ? 400 : 401);
      expectNoCookies(answer);
    }
    expectSignedIn(
      await browser.apiUnnoted('POST', '/auth/refresh', { body: { refreshToken: other.refreshToken } }),
    );
    expect(await generationOf(service, owner.id)).toBe(0);
    expect(await generationOf(service, other.id)).toBe(1);
  });

  it('a refresh without a cookie is 401, and 400 as before for all other callers', async () => {
    const browser = new CookieBrowser(service);
    for (const options of [{}, { body: {} }]) {
      const answer = await browser.api('POST', '/auth/refresh', options);
      expect(answer).toMatchObject({ status: 401, code: 'unauthorized' });
      expectNoCookies(answer);
      expect((await service.api('POST', '/auth/refresh', options)).status).toBe(400);
    }
  });

  it.each([
    ['twice', (token: string) => `${REFRESH}=${token}; ${REFRESH}=${token}`],
    ['too long', (token: string) => `${REFRESH}=${token.repeat(80)}`],
    ['malformed', (token: string) => `${REFRESH}=${token.slice(1)}`],
    ['unclean', (token: string) => `${REFRESH}=${token}%00`],
    ['forged', (token: string) => `${REFRESH}=${token.slice(0, -6)}AAAAAA`],
  ])('a refresh with its cookie %s is 401 and has no effect', async (_what, cookieOf) => {
    const user = await service.createUser();
    const browser = await CookieBrowser.of(service, user);
    const cookie = cookieOf(browser.jar.get(REFRESH) ?? '');
    const answer = await browser.api('POST', '/auth/refresh', { headers: { cookie } });

    expect(answer).toMatchObject({ status: 401, code: 'unauthorized' });
    expectNoCookies(answer);
    expect(await generationOf(service, user.id)).toBe(0);
  });

  it('a refresh by several tabs at once sets the same refresh token in all of them', async () => {
    const user = await service.createUser();
    const browser = await CookieBrowser.of(service, user);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => browser.apiUnnoted('POST', '/auth/refresh')),
    );

    for (const answer of answers) expectSignedIn(answer);
    const successors = new Set(answers.map((answer) => cookiesSetBy(answer)[REFRESH]?.value));
    expect(successors.size).toBe(1);
    expect(await generationOf(service, user.id)).toBe(1);
    browser.jar.set(REFRESH, [...successors][0] ?? '');
    expectSignedIn(await browser.api('POST', '/auth/refresh'));
  });

  it('a refresh of a session that has ended clears the cookies', async () => {
    const reused = await CookieBrowser.ofNewUser(service);
    await reused.apiUnnoted('POST', '/auth/refresh');
    const user = await service.createUser();
    const revoked = await CookieBrowser.of(service, user);
    await service.machine('POST', `/internal/admin/users/${user.id}/revoke-all`);

    for (const browser of [reused, revoked]) {
      const answer = await browser.api('POST', '/auth/refresh');
      expect(answer).toMatchObject({ status: 401, code: 'session_revoked' });
      expect(cookiesSetBy(answer)).toEqual(CLEARED);
      expect(browser.jar.size).toBe(0);
    }
  });

  it('a refresh of an ended session named in the body keeps the cookies', async () => {
    const ended = await signedInUser(service);
    await service.machine('POST', `/internal/admin/users/${ended.id}/revoke-all`);
    const browser = await CookieBrowser.ofNewUser(service);
    const { refreshToken } = ended;
    const answer = await browser.api('POST', '/auth/refresh', { body: { refreshToken } });

    expect(answer.code).toBe('session_revoked');
    expectNoCookies(answer);
  });

  it('a refresh of an expired session, or one whose database is busy, keeps the cookies', async () => {
    const expired = await CookieBrowser.ofNewUser(service);
    await service.sql('UPDATE sessions SET expires_at = now() WHERE id = $1', [sessionIn(expired)]);
    const answer = await expired.api('POST', '/auth/refresh');
    expect(answer).toMatchObject({ status: 401, code: 'unauthorized' });
    expectNoCookies(answer);

    const blocked = await CookieBrowser.ofNewUser(service);
    const held = service.sql('BEGIN; LOCK TABLE sessions; SELECT pg_sleep(3.5); COMMIT');
    await waitUntil(sessionsAreLocked, { what: 'the lock' });
    const busy = await blocked.api('POST', '/auth/refresh');
    expect(busy).toMatchObject({ status: 503, code: 'service_unavailable' });
    expectNoCookies(busy);
    await held;
    expectSignedIn(await blocked.api('POST', '/auth/refresh'));
  });
});

describe('signing out by cookie', () => {
  it('signing out by cookie ends the session and clears the cookies', async () => {
    const browser = await CookieBrowser.ofNewUser(service);
    const before = new Map(browser.jar);
    const answer = await browser.api('POST', '/auth/logout');

    expect(answer).toMatchObject({ status: 200, data: { status: 'ok' } });
    expect(cookiesSetBy(answer)).toEqual(CLEARED);
    expect(browser.jar.size).toBe(0);
    for (const [name, value] of before) browser.jar.set(name, value);
    expect((await browser.api('GET', '/auth/me')).code).toBe('session_revoked');
  });

  it.each<[string, ApiOptions]>([
    ['nothing', {}],
    ['an empty object', { body: {} }],
    ['an unknown token', { body: { refreshToken: 'lkr_unknown' } }],
  ])('signing out with %s and no cookie is fine and clears the cookies', async (_what, options) => {
    const answer = await new CookieBrowser(service).api('POST', '/auth/logout', options);
    expect(answer).toMatchObject({ status: 200, data: { status: 'ok' } });
    expect(cookiesSetBy(answer)).toEqual(CLEARED);
  });

  it('signing out with a token in the body ends that session, and clears the cookies all the same', async () => {
    const other = await signedInUser(service);
    const browser = await CookieBrowser.ofNewUser(service);
    const own = sessionIn(browser);
    const { refreshToken, token } = other;
    const answer = await browser.api('POST', '/auth/logout', { body: { refreshToken } });

    expect(cookiesSetBy(answer)).toEqual(CLEARED);
    expect((await service.api('GET', '/auth/me', { token })).code).toBe('session_revoked');
    expect(await isRevoked(own)).toBe(false);
  });

  it('signing out is a bad request when the token of the body is malformed', async () => {
    const browser = await CookieBrowser.ofNewUser(service);
    for (const refreshToken of ['', null, 1]) {
      const answer = await browser.api('POST', '/auth/logout', { body: { refreshToken } });
      expect(answer).toMatchObject({ status: 400, code: 'validation_error' });
      expectNoCookies(answer);
    }
  });

  it('signing out everywhere clears the cookies of a caller who came by cookie', async () => {
    const user = await service.createUser();
    const browser = await CookieBrowser.of(service, user);
    const { token } = await mintTokens(service, user.id);
    const byHeader = await browser.api('POST', '/auth/logout-all', { token });
    expect(byHeader.data).toEqual({ status: 'ok', revoked: 2 });
    expectNoCookies(byHeader);

    const again = await CookieBrowser.of(service, user);
    const byCookie = await again.api('POST', '/auth/logout-all');
    expect(byCookie.data).toEqual({ status: 'ok', revoked: 1 });
    expect(cookiesSetBy(byCookie)).toEqual(CLEARED);
  });

  it('signing out the other sessions keeps the cookies', async () => {
    const browser = await CookieBrowser.ofNewUser(service);
    const answer = await browser.api('POST', '/auth/logout-others');
    expect(answer.status).toBe(200);
    expectNoCookies(answer);
  });

  it('ending the own session clears the cookies, ending another one does not', async () => {
    const user = await service.createUser();
    const [browser, other] = [
      await CookieBrowser.of(service, user),
      await CookieBrowser.of(service, user),
    ].map((each) => ({ each, session: String(sessionIn(each)) }));
    const end = (session = '') => browser?.each.api('DELETE', `/auth/sessions/${session}`);

    const ofOther = await end(other?.session);
    const ofOwn = await end(browser?.session.toUpperCase());
    expect([ofOther?.status, ofOwn?.status]).toEqual([200, 200]);
    expect(ofOther?.headers).not.toHaveProperty('set-cookie');
    expect(ofOwn && cookiesSetBy(ofOwn)).toEqual(CLEARED);
  });
});

describe('a service without cookie mode', () => {
  it('with cookie mode off the header changes nothing: cookies are neither read nor set', async () => {
    const plain = await serviceForThisTest();
    const user = await plain.createUser();
    const browser = await CookieBrowser.of(plain, user);
    const body = { email: user.email, password: PASSWORD };

    expect((await browser.api('GET', '/auth/me')).status).toBe(401);
    expect((await browser.api('POST', '/auth/refresh', { body: {} })).status).toBe(400);
    expect((await browser.api('POST', '/auth/logout')).status).toBe(400);
    const login = await browser.api('POST', '/auth/login', {
      body,
      headers: { origin: 'https://evil.example' },
    });
    expect(login.data).toMatchObject({ accessToken: any, refreshToken: any });
    expectNoCookies(login);
  });

  it('the OpenAPI document mentions cookie mode only when it is on', async () => {
    const plain = await serviceForThisTest();
    const [off, on] = [
      await plain.client.send('GET', '/openapi.json'),
      await service.client.send('GET', '/openapi.json'),
    ];

    expect(off.text).not.toMatch(/cookie/i);
    expect(on.text).toContain(ACCESS);
  });
});
