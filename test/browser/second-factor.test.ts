import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DocumentedApp } from '../support/browser/documented-app.js';
import {
  atAccount,
  callsOf,
  cutOff,
  expectAnswer,
  focused,
  hold,
  keptInTab,
  liveSessions,
  said,
  sessionCookies,
  shown,
} from '../support/browser/people.js';
import { PlantedPages } from '../support/browser/planted-pages.js';
import { answer, choose, passFirstStep, userWithApp } from '../support/browser/second-step.js';
import { SignInForm } from '../support/browser/sign-in-form.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { addVirtualAuthenticator, passkeySettings } from '../support/browser/virtual-authenticator.js';
import { signedInUser } from '../support/minted-token.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { wrongCode, wrongCodes } from '../support/totp-codes.js';

const CODE = 'INPUT code';
const RECOVERY_CODE = 'INPUT recovery-code';
const EXPIRED = 'The second step took too long, or had too many wrong codes. Enter your password again.';

describeWithBrowser('the second step of the sign-in page', (browser) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: { SECOND_FACTOR: 'all' } });
  });
  afterAll(() => service.stop());

  /** Opens the second step of a user who has an authenticator app. */
  const open = async (home = service) => {
    const user = await userWithApp(home);
    const visitor = await browser.visit(home.publicUrl);
    const { page } = visitor;
    await page.goto('/login');
    await passFirstStep(page, user);
    return { user, visitor, page, form: new SignInForm(page) };
  };

  it('a code of the app signs in by the keyboard alone, also with a space', async () => {
    const { user, page } = await open();
    await expect.poll(() => focused(page)).toBe(CODE);
    await said(page, user.email);
    expect(await keptInTab(page)).toEqual([]);
    const code = user.code();
    await answer(page, `${code.slice(0, 3)} ${code.slice(3)}`);
    await atAccount(page);
    expect(await keptInTab(page)).toEqual(['latchkey.session']);
    expect(await liveSessions(service, user.email)).toBe(1);
  });

  it('the field of the code is one that phones and password managers fill in', async () => {
    const { page } = await open();
    const field = page.getByRole('textbox', { name: 'Code' });
    expect(await field.getAttribute('inputmode')).toBe('numeric');
    expect(await field.getAttribute('autocomplete')).toBe('one-time-code');
    expect(await field.getAttribute('aria-describedby')).toBe('code-hint');
    expect(await page.locator('#password').count()).toBe(0);
  });

  it('a wrong code is reported beside the field, and typing replaces it', async () => {
    const { user, visitor, page } = await open();
    expectAnswer(visitor, 401);
    await answer(page, wrongCode(user.code));
    await said(page, 'Incorrect code. Enter the newest code of the app.');
    await expect.poll(() => focused(page)).toBe(CODE);
    expect(await page.locator('#code').getAttribute('aria-invalid')).toBe('true');
    await answer(page, user.code());
    await atAccount(page);
  });

  it('an empty code is reported without a request', async () => {
    const { page } = await open();
    const calls = callsOf(page);
    await page.keyboard.press('Enter');
    await said(page, 'Enter your code.');
    expect(calls).toEqual([]);
  });

  it('a wrong code is counted once, also when the Enter key follows it', async () => {
    const { user, visitor, page } = await open();
    expectAnswer(visitor, 401);
    const calls = callsOf(page);
    await answer(page, wrongCode(user.code));
    await page.locator('#code-error').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('form:not([aria-busy]) #code-error').waitFor();
    expect(calls).toEqual(['POST /auth/login/second-factor']);
  });

  it('too many wrong codes lead back to the password, and the email stays', async () => {
    const { user, visitor, page, form } = await open();
    expectAnswer(visitor, 401);
    const error = page.locator('#code-error');
    for (const code of wrongCodes(user.code, 5)) {
      await answer(page, code);
      await error.waitFor();
      await page.keyboard.press('Backspace');
      await error.waitFor({ state: 'hidden' });
    }
    await answer(page, user.code());
    await said(page, EXPIRED);
    await expect.poll(() => focused(page)).toBe('INPUT password');
    expect([await form.email.inputValue(), await form.password.inputValue()]).toEqual([user.email, '']);
    expect(await liveSessions(service, user.email)).toBe(0);
  });

  it('an expired challenge leads back to the password, which starts a new one', async () => {
    const { user, visitor, page } = await open();
    expectAnswer(visitor, 401);
    await service.sql(
      `UPDATE second_factor_challenges SET expires_at = now() - interval '1 second' WHERE user_id = $1`,
      [user.id],
    );
    await answer(page, '123456');
    await said(page, EXPIRED);
    await answer(page, user.password);
    await shown(page, 'Two-step verification');
    expect(await page.locator('#code').inputValue()).toBe('');
    await answer(page, user.code());
    await atAccount(page);
  });

  it('a recovery code signs in once, in any case', async () => {
    const { user, visitor, page } = await open();
    const [recoveryCode = ''] = user.recoveryCodes;
    await choose(page, 'BUTTON Use a recovery code');
    await expect.poll(() => focused(page)).toBe(RECOVERY_CODE);
    await answer(page, recoveryCode.toUpperCase().replaceAll('-', ' '));
    await atAccount(page);
    await choose(page, 'BUTTON Sign out');
    await page.goto('/login');
    await passFirstStep(page, user);
    await choose(page, 'BUTTON Use a recovery code');
    expectAnswer(visitor, 401);
    await answer(page, recoveryCode);
    await said(page, 'Incorrect code, or it was used before.');
    await choose(page, 'BUTTON Use the authenticator app');
    await expect.poll(() => focused(page)).toBe(CODE);
    await answer(page, user.code());
    await atAccount(page);
  });

  it('the way to recovery codes is hidden once all are used', async () => {
    const user = await userWithApp(service);
    await service.sql('DELETE FROM recovery_codes WHERE user_id = $1', [user.id]);
    const { page } = await browser.visit(service.publicUrl);
    await page.goto('/login');
    await passFirstStep(page, user);
    expect(await page.getByRole('button', { name: 'Use a recovery code' }).isVisible()).toBe(false);
  });

  it('another account can be used instead', async () => {
    const { user, visitor, page, form } = await open();
    expectAnswer(visitor, 401);
    await answer(page, wrongCode(user.code));
    await page.locator('#code-error').waitFor();
    await choose(page, 'BUTTON Use another account');
    await shown(page, 'Sign in');
    await expect.poll(() => focused(page)).toBe('INPUT email');
    expect([await form.email.inputValue(), await form.password.inputValue()]).toEqual(['', '']);
    expect(await form.notice.isVisible()).toBe(false);
    await passFirstStep(page, user);
    expect(await page.locator('#code').inputValue()).toBe('');
    expect(await page.locator('#code-error').isVisible()).toBe(false);
  });

  it('another account cannot be used while a code is on its way', async () => {
    const { user, page } = await open();
    const release = await hold(page, '**/auth/login/second-factor');
    await answer(page, user.code());
    await page.locator('form[aria-busy=true]').waitFor();
    await choose(page, 'BUTTON Use another account');
    await shown(page, 'Two-step verification');
    release();
    await atAccount(page);
  });

  it('a limit of wrong codes names the recovery codes and the wait', async () => {
    const { user, visitor, page } = await open();
    expectAnswer(visitor, 429);
    const error = { code: 'rate_limited', reason: 'code_limit_reached', message: 'Too many wrong codes.' };
    await page.route('**/auth/login/second-factor', (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '42' }, json: { success: false, error } }),
    );
    await answer(page, '123456');
    await said(page, 'Too many wrong codes. Use a recovery code, or wait 42 seconds.');
    expect(await page.getByRole('button', { name: 'Verify' }).isDisabled()).toBe(true);
    await choose(page, 'BUTTON Use a recovery code');
    expect(await page.getByRole('button', { name: 'Verify' }).isEnabled()).toBe(true);
    await choose(page, 'BUTTON Use another account');
    await passFirstStep(page, user);
    expect(await page.getByRole('button', { name: 'Verify' }).isEnabled()).toBe(true);
    expect(await page.getByRole('alert').isVisible()).toBe(false);
  });

  it('an unreachable service is reported, and the next attempt works', async () => {
    const { user, visitor, page } = await open();
    const reconnect = await cutOff(visitor, '**/auth/login/second-factor');
    await answer(page, user.code());
    await said(page, /^The service cannot be reached at the moment\./);
    await reconnect();
    await page.keyboard.press('Enter');
    await atAccount(page);
  });

  it('the page starts with the password again after a reload', async () => {
    const { page } = await open();
    await page.reload();
    await shown(page, 'Sign in');
    expect(await keptInTab(page)).toEqual([]);
  });

  it('the second step goes on to the return address, in cookie mode with the session in cookies', async () => {
    const webApp = await PlantedPages.serve({ '/': { body: '<h1>The web app</h1>' } });
    try {
      const cookies = await serviceForThisTest({
        env: { SECOND_FACTOR: 'all', AUTH_WEB_COOKIE_MODE: 'true', WEB_APP_URL: webApp.url },
      });
      const user = await userWithApp(cookies);
      const { page, context } = await browser.visit(cookies.publicUrl, { origins: [webApp.url] });
      await page.goto('/login');
      await passFirstStep(page, user);
      expect(await sessionCookies(context)).toEqual([]);
      await answer(page, user.code());
      await shown(page, 'The web app');
      expect((await sessionCookies(context)).filter(({ httpOnly }) => httpOnly)).toHaveLength(2);
      expect(await liveSessions(cookies, user.email)).toBe(1);
    } finally {
      await webApp.stop();
    }
  });

  describe('a passkey as second factor', () => {
    let app: DocumentedApp;
    let withPasskeys: TestService;
    beforeAll(async () => {
      app = await DocumentedApp.serve();
      withPasskeys = await startTestService({
        env: (port) => ({
          ...passkeySettings(port),
          WEBAUTHN_ORIGINS: `http://localhost:${port},${app.url}`,
          CORS_ORIGINS: app.url,
          SECOND_FACTOR: 'all',
        }),
      });
      app.callOn(withPasskeys.publicUrl);
    });
    afterAll(async () => {
      await app.stop();
      await withPasskeys.stop();
    });

    /** Opens the sign-in page for a user with a passkey, who is not at the device yet. */
    const owner = async () => {
      const user = await signedInUser(withPasskeys);
      const { page } = await browser.visit(withPasskeys.publicUrl, { origins: [app.url] });
      const authenticator = await addVirtualAuthenticator(page);
      await app.addPasskey(page, user);
      await authenticator.setPresent(false);
      await page.goto('/login');
      return { user, page, authenticator };
    };

    it('a user who has a passkey only completes the sign-in with it', async () => {
      const { user, page, authenticator } = await owner();
      await passFirstStep(page, user);
      await expect.poll(() => focused(page)).toBe('H1 Two-step verification');
      await authenticator.setPresent(true);
      await choose(page, 'BUTTON Use a passkey');
      await atAccount(page, user.email);
    });

    it('a browser without passkeys reports that the page offers no second step', async () => {
      const user = await signedInUser(withPasskeys);
      const other = await browser.visit(withPasskeys.publicUrl, { origins: [app.url] });
      await addVirtualAuthenticator(other.page);
      await app.addPasskey(other.page, user);
      const { page } = await browser.visit(withPasskeys.publicUrl);
      await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'));
      await page.goto('/login');
      const form = new SignInForm(page);
      await form.send(user);
      expect(await form.notice.innerText()).toMatch(/^You aren't signed in yet/);
    });
  });
});
