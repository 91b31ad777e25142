import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DocumentedApp } from '../support/browser/documented-app.js';
import {
  atAccount,
  callsOf,
  cutOff,
  expectAnswer,
  pressAtOnce,
  said,
  shown,
} from '../support/browser/people.js';
import { SignInForm } from '../support/browser/sign-in-form.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { addVirtualAuthenticator, passkeySettings } from '../support/browser/virtual-authenticator.js';
import { signedInUser } from '../support/minted-token.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';

const OPTIONS = 'POST /auth/passkeys/login/options';
const VERIFY = 'POST /auth/passkeys/login/verify';
const NOT_ACCEPTED = "This passkey doesn't work here. Sign in with your password instead.";

describeWithBrowser('passkeys on the sign-in page', (browser) => {
  let app: DocumentedApp;
  let service: TestService;
  beforeAll(async () => {
    app = await DocumentedApp.serve();
    service = await startTestService({
      env: (port) => ({
        ...passkeySettings(port),
        WEBAUTHN_ORIGINS: `http://localhost:${port},${app.url}`,
        CORS_ORIGINS: app.url,
      }),
    });
    app.callOn(service.publicUrl);
  });
  afterAll(async () => {
    await app.stop();
    await service.stop();
  });

  /** Creates a user whose device has a passkey that was added in the app. */
  const owner = async () => {
    const user = await signedInUser(service);
    const visitor = await browser.visit(service.publicUrl, { origins: [app.url] });
    const { page } = visitor;
    const authenticator = await addVirtualAuthenticator(page);
    const passkey = await app.addPasskey(page, user);
    return { user, visitor, page, authenticator, passkey, form: new SignInForm(page) };
  };

  /**
   * Waits until the requests of the page have reached the device. They arrive in order, so a response to a later one means
   * that earlier ones have arrived; processing takes another moment, which no event reports.
   */
  const untilRequestsArrived = async (page: Page) => {
    await page.evaluate(() => PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable());
    await page.waitForTimeout(300);
  };

  /** Opens the page while the user is absent, so that no suggestion is picked; then the user returns. */
  const openFor = async ({
    page,
    authenticator,
  }: Pick<Awaited<ReturnType<typeof owner>>, 'page' | 'authenticator'>) => {
    await authenticator.setPresent(false);
    const calls = callsOf(page);
    const offered = page.waitForFunction(() => document.documentElement.dataset.offered === 'true');
    await page.addInitScript(markWhenOffered);
    await page.goto('/login');
    await offered;
    await untilRequestsArrived(page);
    await authenticator.setPresent(true);
    return calls;
  };

  it('a passkey that was added as documented signs in with the button', async () => {
    const person = await owner();
    expect(person.passkey).toMatchObject({ name: 'My laptop' });
    const calls = await openFor(person);
    await pressAtOnce(person.form.passkeyButton, 2);
    await atAccount(person.page, person.user.email);
    expect(calls.slice(0, 4)).toEqual([OPTIONS, OPTIONS, VERIFY, 'GET /auth/me']);
  });

  it('a passkey that was added as documented signs in to the app', async () => {
    const { page } = await owner();
    const { accessToken } = await page.evaluate(() => window.signInWithPasskey());
    expect(accessToken).toMatch(/^eyJ/);
  });

  it('a passkey is suggested in the email field and signs in from there', async () => {
    const { page } = await owner();
    const calls = callsOf(page);
    await page.goto('/login');
    await atAccount(page);
    expect(calls.slice(0, 3)).toEqual([OPTIONS, VERIFY, 'GET /auth/me']);
  });

  it('a passkey that is picked from expired suggestions is requested again', async () => {
    const { page } = await owner();
    await page.addInitScript(spendSixMinutesOnSuggestions);
    const calls = callsOf(page);
    await page.goto('/login');
    await atAccount(page);
    expect(calls.slice(0, 4)).toEqual([OPTIONS, OPTIONS, VERIFY, 'GET /auth/me']);
  });

  describe('a passkey that cannot be used', () => {
    it('a passkey is reported after its removal, and the password works', async () => {
      const { visitor, page, user, form } = await owner();
      await service.sql('DELETE FROM passkey_credentials WHERE user_id = $1', [user.id]);
      expectAnswer(visitor, 401);
      await page.goto('/login');
      await said(page, NOT_ACCEPTED);
      expect(await form.email.getAttribute('autocomplete')).toBe('username webauthn');
      await form.send(user);
      await atAccount(page);
    });

    it('a passkey is reported if it is a copy with a lower counter', async () => {
      const { page, visitor, user, authenticator } = await owner();
      await page.goto('/login');
      await atAccount(page);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await shown(page, 'You are signed out');
      await authenticator.setSignCount(0);
      expectAnswer(visitor, 401);
      await page.goto('/login');
      await said(page, NOT_ACCEPTED);
      expect(await refusals(service, user.id)).toEqual(['response']);
    });

    it('a passkey is reported if the account is deactivated', async () => {
      const { visitor, page, user } = await owner();
      await service.sql('UPDATE users SET is_active = false WHERE id = $1', [user.id]);
      expectAnswer(visitor, 403);
      await page.goto('/login');
      await said(page, 'This account is deactivated.');
    });

    it('a passkey that was not used is reported, not as an error, and the password works', async () => {
      const { page, user, form, authenticator } = await owner();
      await authenticator.setUserVerified(false);
      await page.goto('/login');
      const asked = page.waitForResponse('**/auth/passkeys/login/options');
      await form.passkeyButton.click();
      await asked;
      await form.passkeyButton.and(page.locator(':not([aria-busy])')).waitFor();
      expect(await form.notice.innerText()).toMatch(/^No passkey was used\./);
      expect(await form.notice.getAttribute('class')).toBe('notice info');
      await form.send(user);
      await atAccount(page);
    });

    it('an unreachable service is reported when the passkey button is pressed', async () => {
      const person = await owner();
      await openFor(person);
      await cutOff(person.visitor, '**/auth/passkeys/**');
      await person.form.passkeyButton.click();
      await said(person.page, 'The service cannot be reached at the moment.');
    });
  });

  describe('the page has no passkey button', () => {
    const opens = async (home: string) => {
      const { page } = await browser.visit(home);
      await page.goto('/login');
      const form = new SignInForm(page);
      await form.button.waitFor();
      return form;
    };

    it('the page has no passkey button if the service has no passkeys', async () => {
      const form = await opens((await serviceForThisTest()).publicUrl);
      expect(await form.passkeyButton.count()).toBe(0);
      expect(await form.email.getAttribute('autocomplete')).toBe('username');
    });

    it('the page has no passkey button if passkeys do not work on the origin of the page', async () => {
      const elsewhere = await serviceForThisTest({
        env: { ...passkeySettings(1), WEBAUTHN_ORIGINS: app.url },
      });
      expect(await (await opens(elsewhere.publicUrl)).passkeyButton.count()).toBe(0);
    });

    it('the page has no passkey button if the browser does not support passkeys', async () => {
      const { page } = await browser.visit(service.publicUrl);
      await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'));
      const user = await service.createUser();
      const form = new SignInForm(page);
      await page.goto('/login');
      await form.button.waitFor();
      expect(await form.passkeyButton.isVisible()).toBe(false);
      await form.send(user);
      await atAccount(page);
    });
  });
});

/** Returns the reasons for the rejected sign-ins of a user. */
async function refusals({ sql }: TestService, userId: string): Promise<unknown[]> {
  const rows = await sql(
    `SELECT details ->> 'reason' AS reason FROM auth_audit_logs
     WHERE subject_user_id = $1 AND event = 'login' AND outcome = 'failure'`,
    [userId],
  );
  return rows.map(({ reason }) => reason);
}

/** Runs in the page: sets an attribute when the browser has started to suggest passkeys. */
function markWhenOffered(): void {
  const get = navigator.credentials.get.bind(navigator.credentials);
  navigator.credentials.get = (options) => {
    const answer = get(options);
    document.documentElement.dataset.offered = 'true';
    return answer;
  };
}

/** Runs in the page: advances its clock by six minutes while suggestions are open. */
function spendSixMinutesOnSuggestions(): void {
  const get = navigator.credentials.get.bind(navigator.credentials);
  const now = Date.now.bind(Date);
  navigator.credentials.get = async (options) => {
    const answer = await get(options);
    if (options?.mediation === 'conditional') Date.now = () => now() + 360_000;
    return answer;
  };
}
