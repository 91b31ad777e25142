import { chromium } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { signIn } from '../support/browser/account-page.js';
import { findChromium } from '../support/browser/chromium.js';
import {
  atAccount,
  allowAnswer,
  beSignedIn,
  callsOf,
  focused,
  keptInTab,
  liveSessions,
  said,
  sessionCookies,
  shown,
} from '../support/browser/people.js';
import { ProviderPage } from '../support/browser/provider-page.js';
import { answer, choose, tabTo, userWithApp } from '../support/browser/second-step.js';
import { SignInForm } from '../support/browser/sign-in-form.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { passkeySettings } from '../support/browser/virtual-authenticator.js';
import { Visitor, type VisitOptions } from '../support/browser/visitor.js';
import { enrolFactor } from '../support/enrolled-user.js';
import { ExternalClient, externalEnv, googlePerson } from '../support/external-client.js';
import { HostileProvider, type Person } from '../support/hostile-provider.js';
import { mintTokens } from '../support/minted-token.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import type { TestUser } from '../support/test-users.js';

const SIGN_UP = {
  EXTERNAL_SIGN_UP: 'true',
  PUBLIC_REGISTRATION_ENABLED: 'true',
  REGISTRATION_APPROVAL: 'none',
};
const BUTTONS = ['Google', 'Plain', 'Strict', 'GitHub'].map((label) => `Continue with ${label}`);

describeWithBrowser('sign-in by other services on the pages', (browser) => {
  let provider: HostileProvider;
  let there: ProviderPage;
  let service: TestService;
  beforeAll(async () => {
    provider = await HostileProvider.start();
    there = await ProviderPage.start(provider);
    service = await startTestService({
      env: (port) => ({ ...externalEnv(provider, SIGN_UP), ...passkeySettings(port) }),
    });
  });
  beforeEach(() => {
    there.behave({});
    there.person = googlePerson();
    there.meanwhile = undefined;
  });
  afterAll(async () => {
    await service.stop();
    there.stop();
    provider.stop();
  });

  const arrive = async (path = '/login', options: VisitOptions = {}, home = service.publicUrl) => {
    const visitor = await browser.visit(home, { ...options, origins: [there.url] });
    const { page } = visitor;
    await page.goto(path);
    return { visitor, page, form: new SignInForm(page) };
  };

  /** Links a person at a provider to a new user. */
  const linkedUser = async (connectionId = 'google') => {
    const user = await service.createUser();
    const person = googlePerson();
    const { accessToken } = await signIn(service, user);
    await new ExternalClient(service, provider).linked(connectionId, person, accessToken);
    there.person = person;
    return user;
  };

  describe('a button', () => {
    it('each service has one, in the order of the settings, and nothing is asked for them', async () => {
      const { page } = await arrive();
      const calls = callsOf(page);
      await page.reload();
      await shown(page, 'Sign in');
      expect(await page.locator('.providers button').allTextContents()).toEqual(BUTTONS);
      expect(await page.locator('.providers svg').count()).toBe(2);
      expect(calls.filter((call) => call.includes('external'))).toEqual([]);
    });

    it('the keyboard alone signs a new user in, and nothing of the flow remains', async () => {
      const { page } = await arrive();
      await choose(page, 'BUTTON Continue with Google');
      await atAccount(page, String(there.person?.email));
      expect(new URL(page.url())).toMatchObject({ pathname: '/account', search: '' });
      expect(await keptInTab(page)).toEqual(['latchkey.session']);
    });

    it('the registration page has them where the first sign-in creates an account', async () => {
      const { page } = await arrive('/register?returnTo=/account');
      await page.getByRole('button', { name: 'Continue with Google' }).click();
      await shown(page, 'Profile');
      expect(new URL(page.url()).pathname).toBe('/account');
      const closed = await serviceForThisTest({
        env: { ...externalEnv(provider), PUBLIC_REGISTRATION_ENABLED: 'true' },
      });
      const { page: other } = await arrive('/register', {}, closed.publicUrl);
      await shown(other, 'Create an account');
      expect(await other.locator('.providers').count()).toBe(0);
    });

    it('a service that does not respond is reported beside the form', async () => {
      const dead = await HostileProvider.start();
      const lonely = await serviceForThisTest({ env: externalEnv(dead) });
      dead.stop();
      const { page, visitor } = await arrive('/login', {}, lonely.publicUrl);
      allowAnswer(visitor, 503);
      await page.getByRole('button', { name: 'Continue with Google' }).click();
      await page.getByRole('alert').getByText('cannot be reached').waitFor();
    });
  });

  it('the sign-in goes on to where the user wanted to go', async () => {
    await linkedUser();
    const { page } = await arrive('/login?returnTo=%2Faccount%23sessions');
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await shown(page, 'Sessions');
    await page.getByText('through another service').waitFor();
  });

  it('a session that ends meanwhile is not in the way of a sign-in', async () => {
    const user = await linkedUser();
    const former = await service.createUser();
    const { page, visitor } = await arrive();
    allowAnswer(visitor, 401);
    await beSignedIn(page, await mintTokens(service, former.id));
    there.meanwhile = () =>
      service.sql('UPDATE sessions SET is_revoked = true, revoked_at = now() WHERE user_id = $1', [
        former.id,
      ]);
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await atAccount(page, user.email);
  });

  it('an account with a second factor is asked for it', async () => {
    const user = await linkedUser();
    const { code } = await enrolFactor(service.sql, user.id);
    const { page } = await arrive('/login?returnTo=/account');
    await choose(page, 'BUTTON Continue with Google');
    await shown(page, 'Two-step verification');
    expect(await liveSessions(service, user.email)).toBe(1);
    await expect.poll(() => focused(page)).toBe('INPUT code');
    await answer(page, code());
    await shown(page, 'Profile');
  });

  it('works in a browser that blocks cookies of third parties', async () => {
    const program = findChromium() ?? '';
    const strict = await chromium.launch({
      executablePath: program,
      args: ['--test-third-party-cookie-phaseout'],
    });
    onTestFinished(() => strict.close());
    const visitor = await Visitor.arrive(strict, service.publicUrl, { origins: [there.url] });
    await visitor.page.goto('/login');
    await visitor.page.getByRole('button', { name: 'Continue with Google' }).click();
    await atAccount(visitor.page);
    await visitor.leave();
  });

  it('sets cookies that scripts cannot read, in cookie mode', async () => {
    const cookies = await serviceForThisTest({
      env: { ...externalEnv(provider, SIGN_UP), AUTH_WEB_COOKIE_MODE: 'true' },
    });
    const { page, visitor } = await arrive('/login', {}, cookies.publicUrl);
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await atAccount(page);
    expect((await sessionCookies(visitor.context)).filter(({ httpOnly }) => httpOnly)).toHaveLength(2);
    expect(await keptInTab(page)).toEqual([]);
  });

  it('a response in another browser opens nothing, and says where to go', async () => {
    const { page } = await arrive();
    let begun = '';
    await page.route(`${there.url}/authorize**`, (route) => {
      begun = route.request().url();
      return route.abort('aborted');
    });
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await expect.poll(() => begun).toContain('state=');
    const callback = there.backFrom(begun);
    const { page: other } = await arrive('/login');
    const calls = callsOf(other);
    await other.goto(callback);
    await shown(other, 'Go back to where you began');
    expect(new URL(other.url()).search).toBe('');
    expect(calls.filter((call) => call.includes('external'))).toEqual([]);
    expect(await keptInTab(other)).toEqual([]);
    expect(await liveSessions(service, String(there.person?.email))).toBe(0);
    await other.getByRole('link', { name: 'Sign in here' }).click();
    await shown(other, 'Sign in');
  });

  it('a reload of the page does not send the response again', async () => {
    there.person = undefined;
    const { page, visitor } = await arrive();
    allowAnswer(visitor, 401);
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await shown(page, 'You are not signed in');
    const calls = callsOf(page);
    await page.reload();
    await shown(page, 'Go back to where you began');
    expect(calls).toEqual([]);
  });

  describe('a sign-in that fails', () => {
    it('one that was cancelled leads back, or begins again', async () => {
      there.person = undefined;
      const { page, visitor } = await arrive('/login?returnTo=/account');
      allowAnswer(visitor, 401);
      await choose(page, 'BUTTON Continue with Google');
      await shown(page, 'You are not signed in');
      await expect.poll(() => focused(page)).toBe('H1 You are not signed in');
      await said(page, 'You cancelled at Google. Nothing has changed.');
      await page.getByRole('link', { name: 'Sign in another way' }).click();
      await shown(page, 'Sign in');
      expect(new URL(page.url()).search).toBe('?returnTo=/account');
      await choose(page, 'BUTTON Continue with Google');
      await shown(page, 'You are not signed in');
      there.person = googlePerson();
      await choose(page, 'BUTTON Try again');
      await shown(page, 'Profile');
    });

    it.each([
      [{ answers: 'errors' as const }, 503, /Google or this service does not respond/],
      [{ refuses: 'invalid_grant' }, 401, /Google did not confirm who you are/],
      [{ claims: { nonce: 'another' } }, 401, /Google did not confirm who you are/],
    ])('%j is said in words, and can be repeated', async (faults, status, words) => {
      const { page, visitor } = await arrive();
      allowAnswer(visitor, status);
      there.behave(faults);
      await page.getByRole('button', { name: 'Continue with Google' }).click();
      await shown(page, 'You are not signed in');
      await said(page, words);
      there.behave({});
      await page.getByRole('button', { name: 'Try again' }).click();
      await atAccount(page);
    });

    it('one that took too long begins anew', async () => {
      const { page, visitor } = await arrive();
      allowAnswer(visitor, 401);
      there.meanwhile = () =>
        service.sql(`UPDATE external_flows SET expires_at = now() - interval '1 second'`);
      await page.getByRole('button', { name: 'Continue with Google' }).click();
      await said(page, /took too long/);
      there.meanwhile = undefined;
      await page.getByRole('button', { name: 'Try again' }).click();
      await atAccount(page);
    });

    it.each([
      ["approval_status = 'PENDING', is_active = false", /waiting for approval/],
      ['is_active = false', /deactivated/],
    ])('an account with %s is refused in words', async (change, words) => {
      const user = await linkedUser();
      await service.sql(`UPDATE users SET ${change} WHERE id = $1`, [user.id]);
      const { page, visitor } = await arrive();
      allowAnswer(visitor, 403);
      await page.getByRole('button', { name: 'Continue with Google' }).click();
      await shown(page, 'You are not signed in');
      await said(page, words);
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      await choose(page, 'A Sign in another way');
      await shown(page, 'Sign in');
    });

    it('one without an account, where none is created, says how to get one', async () => {
      const closed = await serviceForThisTest({ env: externalEnv(provider) });
      const { page, visitor } = await arrive('/login', {}, closed.publicUrl);
      allowAnswer(visitor, 403);
      await page.getByRole('button', { name: 'Continue with Google' }).click();
      await said(page, /No account belongs to this sign-in/);
    });
  });

  describe('an address that has an account', () => {
    const stranger = (user: TestUser): Person => ({ ...googlePerson(user.email), email_verified: false });

    it('its user signs in as before, and then the service signs them in, too', async () => {
      const user = await service.createUser();
      there.person = stranger(user);
      const { page, form } = await arrive('/login?returnTo=/account');
      await page.getByRole('button', { name: 'Continue with Plain' }).click();
      await said(page, /An account with your email address exists.*then Plain is linked/);
      expect(await liveSessions(service, user.email)).toBe(0);
      expect(await page.locator('.providers').count()).toBe(0);
      expect(await page.getByRole('link', { name: 'Create an account' }).count()).toBe(0);
      await form.send(user);
      await shown(page, 'Plain is linked');
      expect(await keptInTab(page)).toEqual(['latchkey.session']);
      await page.getByRole('link', { name: 'Continue' }).click();
      await shown(page, 'Profile');
      const { page: next } = await arrive();
      await next.getByRole('button', { name: 'Continue with Plain' }).click();
      await atAccount(next, user.email);
    });

    it('a second factor of that account is asked for before', async () => {
      const user = await userWithApp(service);
      there.person = stranger(user);
      const { page, form } = await arrive();
      await page.getByRole('button', { name: 'Continue with Plain' }).click();
      await said(page, /An account with your email address exists/);
      await form.send(user);
      await shown(page, 'Two-step verification');
      await answer(page, user.code());
      await shown(page, 'Plain is linked');
    });

    it('another user who signs in gets nothing linked, and sees why', async () => {
      const [user, other] = [await service.createUser(), await service.createUser()];
      there.person = stranger(user);
      const { page, form, visitor } = await arrive();
      allowAnswer(visitor, 401);
      await page.getByRole('button', { name: 'Continue with Plain' }).click();
      await said(page, /An account with your email address exists/);
      await form.send(other);
      await shown(page, 'Plain is not linked');
      await said(page, /has another email address than yours at Plain/);
      const rows = await service.sql('SELECT 1 FROM external_identities WHERE user_id = ANY ($1)', [
        [user.id, other.id],
      ]);
      expect(rows).toEqual([]);
    });

    it('a sign-in that is too old is asked for again', async () => {
      const user = await service.createUser();
      there.person = stranger(user);
      const { page, form, visitor } = await arrive();
      allowAnswer(visitor, 401);
      await page.getByRole('button', { name: 'Continue with Plain' }).click();
      await said(page, /An account with your email address exists/);
      const { token, refreshToken } = await mintTokens(service, user.id);
      await beSignedIn(page, { token, refreshToken });
      await page.goto('/external/callback/plain');
      await said(page, 'To link Plain, sign in again.');
      await page.getByRole('button', { name: 'Sign in again' }).click();
      await form.send(user);
      await shown(page, 'Plain is linked');
    });
  });

  it('speaks German', async () => {
    there.person = undefined;
    const { page, visitor } = await arrive('/login', { locale: 'de-DE' });
    allowAnswer(visitor, 401);
    await tabTo(page, 'BUTTON Weiter mit Google');
    await page.keyboard.press('Enter');
    await shown(page, 'Sie sind nicht angemeldet');
    await said(page, 'Sie haben bei Google abgebrochen. Es hat sich nichts geändert.');
    await page.getByRole('link', { name: 'Anders anmelden' }).click();
    await shown(page, 'Anmelden');
  });
});
