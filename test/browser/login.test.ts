import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  beSignedIn,
  callsOf,
  cutOff,
  expectAnswer,
  focused,
  keptInTab,
  liveSessions,
  pressAtOnce,
  said,
  shown,
} from '../support/browser/people.js';
import { SignInForm } from '../support/browser/sign-in-form.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { signedInUser } from '../support/minted-token.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';

describeWithBrowser('the sign-in page', (browser) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  const open = async (home = service.publicUrl) => {
    const visitor = await browser.visit(home);
    const { page } = visitor;
    await page.goto('/login');
    return { visitor, page, form: new SignInForm(page) };
  };

  describe('the right password', () => {
    it('the right password signs in and offers a sign-out', async () => {
      const { page, form } = await open();
      const user = await service.createUser();
      await form.send(user);
      await shown(page, 'You are signed in');
      expect(await focused(page)).toBe('H1 You are signed in');
      expect(await page.getByText(`Signed in as ${user.email}.`).isVisible()).toBe(true);
      await page.reload();
      await shown(page, 'You are signed in');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await shown(page, 'You are signed out');
      expect(await keptInTab(page)).toEqual([]);
      expect(await liveSessions(service, user.email)).toBe(0);
      await page.getByRole('link', { name: 'Sign in again' }).click();
      await shown(page, 'Sign in');
    });

    it('the right password is submitted by the Enter key in either field', async () => {
      const { page, form } = await open();
      await form.fill(await service.createUser());
      await form.email.press('Enter');
      await shown(page, 'You are signed in');
    });

    it('the right password is submitted once, however often the button is pressed', async () => {
      const { page, form } = await open();
      const user = await service.createUser();
      await form.fill(user);
      const calls = callsOf(page);
      await pressAtOnce(form.button, 5);
      await shown(page, 'You are signed in');
      expect(calls).toEqual(['POST /auth/login', 'GET /auth/me']);
      expect(await liveSessions(service, user.email)).toBe(1);
    });
  });

  describe('a rejected sign-in', () => {
    it('the page announces a wrong password and keeps the input', async () => {
      const { visitor, form, page } = await open();
      expectAnswer(visitor, 401);
      const user = await service.createUser();
      await form.send({ ...user, password: 'a wrong password' });
      expect(await form.notice.innerText()).toBe('Incorrect email or password.');
      expect([await form.email.inputValue(), await form.password.inputValue()]).toEqual([
        user.email,
        'a wrong password',
      ]);
      expect(await focused(page)).toBe('INPUT password');
      await form.send(user);
      await shown(page, 'You are signed in');
    });

    it('the page reports empty fields beside them and focuses the first', async () => {
      const { page, form } = await open();
      const calls = callsOf(page);
      await form.button.click();
      expect(await form.email.getAttribute('aria-invalid')).toBe('true');
      expect(await form.password.getAttribute('aria-invalid')).toBe('true');
      expect(await page.locator('#email-error').innerText()).toBe('Enter your email.');
      expect(await page.locator('#password-error').innerText()).toBe('Enter your password.');
      for (const [field, error] of [
        [form.email, 'email-error'],
        [form.password, 'password-error'],
      ] as const)
        expect(await field.getAttribute('aria-describedby')).toBe(error);
      expect(await focused(page)).toBe('INPUT email');
      await form.email.pressSequentially('a');
      expect(await form.email.getAttribute('aria-invalid')).toBeNull();
      await form.button.click();
      expect(await page.locator('#email-error').innerText()).toBe('Enter a valid email address.');
      expect(calls).toEqual([]);
    });

    it.each([
      ['waits for approval', { approval: 'PENDING' }, 'Your account is waiting for approval.'],
      ['has been rejected', { approval: 'REJECTED' }, 'Your registration was not approved.'],
      ['is deactivated', { active: false }, 'This account is deactivated.'],
    ] as const)('the page reports that the account %s', async (_state, wanted, notice) => {
      const { visitor, form } = await open();
      expectAnswer(visitor, 403);
      await form.send(await service.createUser(wanted));
      expect(await form.notice.innerText()).toContain(notice);
    });

    it('the page disables the button after too many attempts until the limit ends', async () => {
      const strict = await serviceForThisTest({ env: { LOGIN_RATE_LIMIT: '1' } });
      const { visitor, page, form } = await open(strict.publicUrl);
      await page.clock.install();
      await page.reload();
      expectAnswer(visitor, 401);
      expectAnswer(visitor, 429);
      const stranger = { email: 'unknown@example.com', password: 'a wrong password' };
      await form.send(stranger);
      await form.notice.waitFor();
      await form.send(stranger);
      await said(page, /^Too many attempts\. Please wait \d+ seconds and try again\.$/);
      expect(await form.button.isDisabled()).toBe(true);
      const calls = callsOf(page);
      await form.password.press('Enter');
      expect(calls).toEqual([]);
      await page.clock.fastForward('01:01');
      expect([await form.button.isEnabled(), await form.notice.isVisible()]).toEqual([true, false]);
      expect(await form.password.inputValue()).toBe(stranger.password);
    });
  });

  describe('an unreachable service', () => {
    it('an unreachable service is reported, the input is kept, and the next attempt works', async () => {
      const { visitor, page, form } = await open();
      const user = await service.createUser();
      const reconnect = await cutOff(visitor, '**/auth/login');
      await form.send(user);
      expect(await form.notice.innerText()).toMatch(/^The service cannot be reached at the moment\./);
      await reconnect();
      await form.button.click();
      await shown(page, 'You are signed in');
    });

    it('an unreachable service does not sign the user out', async () => {
      const { visitor, page } = await open();
      expectAnswer(visitor, 401);
      const { refreshToken } = await signedInUser(service);
      await beSignedIn(page, { token: 'expired', refreshToken });
      const reconnect = await cutOff(visitor, '**/auth/refresh');
      await page.reload();
      await shown(page, 'Sign in');
      await reconnect();
      await page.reload();
      await shown(page, 'You are signed in');
    });
  });

  it('the page forgets a session that was ended elsewhere', async () => {
    const { visitor, page } = await open();
    expectAnswer(visitor, 401);
    const user = await signedInUser(service);
    await beSignedIn(page, user);
    await service.api('POST', '/auth/logout-all', { token: user.token });
    await page.reload();
    await shown(page, 'Sign in');
    expect(await keptInTab(page)).toEqual([]);
  });

  it('a password can be shown and is hidden again on submission', async () => {
    const { page, form } = await open();
    await form.password.fill('secret');
    expect(await form.password.getAttribute('type')).toBe('password');
    await page.getByRole('button', { name: 'Show password' }).click();
    expect(await form.password.getAttribute('type')).toBe('text');
    await page.getByRole('button', { name: 'Hide password' }).click();
    expect(await form.password.getAttribute('type')).toBe('password');
    await page.getByRole('button', { name: 'Show password' }).click();
    await form.button.click();
    expect(await form.password.getAttribute('type')).toBe('password');
  });

  it('a password manager finds one form with an email and a password', async () => {
    const { page } = await open();
    const fields = await page.locator('form:visible input:visible').evaluateAll((inputs) =>
      inputs.map((input) => {
        const { id, name, type, autocomplete, labels } = input as HTMLInputElement;
        return [id, name, type, autocomplete, labels?.[0]?.textContent];
      }),
    );
    expect(await page.locator('form:visible').count()).toBe(1);
    expect(fields).toEqual([
      ['email', 'email', 'email', 'username', 'Email'],
      ['password', 'password', 'password', 'current-password', 'Password'],
    ]);
  });

  it('without JavaScript the page says so, and no password gets into the address', async () => {
    const visitor = await browser.visit(service.publicUrl, { javaScript: false });
    const { page } = visitor;
    visitor.expectFault(/^console: error: Sending form data .* directive: "form-action 'none'"/);
    await page.goto('/login');
    expect(await page.locator('noscript').innerText()).toMatch(/^This page needs JavaScript\./);
    const form = new SignInForm(page);
    await form.fill({ email: 'ada@example.com', password: 'secret' });
    const blocked = page.waitForEvent('console');
    await pressAtOnce(form.button, 1);
    await blocked;
    expect(page.url()).toBe(`${service.publicUrl}/login`);
  });
});
