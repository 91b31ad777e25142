import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  atAccount,
  beSignedIn,
  callsOf,
  cutOff,
  expectAnswer,
  focused,
  hold,
  keptInTab,
  liveSessions,
  pressAtOnce,
  said,
  shown,
} from '../support/browser/people.js';
import { choose, tabTo } from '../support/browser/second-step.js';
import { SignInForm } from '../support/browser/sign-in-form.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import type { VisitOptions } from '../support/browser/visitor.js';
import { signedInUser } from '../support/minted-token.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';

describeWithBrowser('the sign-in page', (browser) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  const open = async (home = service.publicUrl, options: VisitOptions = {}) => {
    const visitor = await browser.visit(home, options);
    const { page } = visitor;
    await page.goto('/login');
    return { visitor, page, form: new SignInForm(page) };
  };

  describe('the right password', () => {
    it('the right password signs in and offers a sign-out', async () => {
      const { page, form } = await open();
      const user = await service.createUser();
      await form.send(user);
      await atAccount(page);
      await page.goto('/login');
      await shown(page, 'You are signed in');
      expect(await page.getByText(`Signed in as ${user.email}.`).isVisible()).toBe(true);
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
      await atAccount(page);
    });

    it('the right password is submitted once, however often the button is pressed', async () => {
      const { page, form } = await open();
      const user = await service.createUser();
      await form.fill(user);
      const calls = callsOf(page);
      await pressAtOnce(form.button, 5);
      await atAccount(page);
      expect(calls.slice(0, 2)).toEqual(['POST /auth/login', 'GET /auth/me']);
      expect(calls.filter((call) => call === 'POST /auth/login')).toHaveLength(1);
      expect(await liveSessions(service, user.email)).toBe(1);
    });
  });

  it('the keyboard alone signs in, from one field to the next', async () => {
    const { page } = await open();
    const user = await service.createUser();
    await tabTo(page, 'INPUT email');
    await page.keyboard.type(user.email);
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(page)).toBe('INPUT password');
    await page.keyboard.type(user.password);
    await choose(page, 'BUTTON Sign in');
    await atAccount(page);
    await choose(page, 'BUTTON Sign out');
    await shown(page, 'You are signed out');
  });

  it('the button looks busy and says so while the service checks the password', async () => {
    const { page, form } = await open();
    const release = await hold(page, '**/auth/login');
    await form.send(await service.createUser());
    const busy = page.getByRole('button', { name: 'Signing in…' });
    await busy.waitFor();
    const spinner = await busy.evaluate((button) => getComputedStyle(button, '::before').animationName);
    expect([spinner, await busy.isEnabled()]).toEqual(['wait, turn', true]);
    release();
    await atAccount(page);
  });

  it('the page speaks German to a browser that prefers it, on every page of the way', async () => {
    const { visitor, page } = await open(service.publicUrl, { locale: 'de-AT' });
    expectAnswer(visitor, 401);
    const user = await service.createUser();
    const password = page.getByLabel('Passwort', { exact: true });
    await page.getByLabel('E-Mail-Adresse').fill('ada');
    await password.fill('ein falsches Passwort');
    await password.press('Enter');
    await said(page, 'Geben Sie eine gültige E-Mail-Adresse ein.');
    await page.getByLabel('E-Mail-Adresse').fill(user.email);
    await password.press('Enter');
    await said(page, 'E-Mail-Adresse oder Passwort ist falsch.');
    await page.getByRole('button', { name: 'Passwort anzeigen' }).click();
    await page.getByRole('button', { name: 'Passwort verbergen' }).waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type(user.password);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/account$/);
    await shown(page, 'Profil');
    await page.getByRole('button', { name: 'Abmelden' }).click();
    await shown(page, 'Sie sind abgemeldet');
  });

  it('the language that an address asks for is kept on the way to the other pages', async () => {
    const { page } = await open();
    await page.goto('/login?ui_locales=de');
    await page.getByRole('link', { name: 'Passwort vergessen?' }).click();
    await shown(page, 'Passwort zurücksetzen');
    expect(page.url()).toBe(`${service.publicUrl}/reset-password?ui_locales=de`);
    await page.getByRole('link', { name: 'Zurück zur Anmeldung' }).click();
    await shown(page, 'Anmelden');
  });

  describe('the email of the last sign-in', () => {
    it('the email is remembered once it has signed in, until another account is chosen', async () => {
      const { visitor, page, form } = await open();
      const other = page.getByRole('button', { name: 'Use another account' });
      expectAnswer(visitor, 401);
      const user = await service.createUser();
      await form.send({ ...user, password: 'a wrong password' });
      await form.notice.waitFor();
      await page.reload();
      expect([await form.email.inputValue(), await other.isVisible()]).toEqual(['', false]);
      await form.send(user);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('link', { name: 'Sign in again' }).click();
      await other.waitFor();
      expect(await form.email.inputValue()).toBe(user.email);
      await other.click();
      await expect.poll(() => focused(page)).toBe('INPUT email');
      expect(await form.email.inputValue()).toBe('');
      expect(await page.evaluate(() => localStorage.getItem('latchkey.email'))).toBeNull();
      await page.reload();
      expect([await form.email.inputValue(), await other.isVisible()]).toEqual(['', false]);
    });

    it('the email is not needed in a browser that blocks storage', async () => {
      const visitor = await browser.visit(service.publicUrl);
      const { page } = visitor;
      await page.addInitScript(() => {
        Object.defineProperty(window, 'localStorage', {
          get: () => {
            throw new DOMException('blocked', 'SecurityError');
          },
        });
      });
      await page.goto('/login');
      await new SignInForm(page).send(await service.createUser());
      await atAccount(page);
    });

    it('a browser that blocks the storage of the tab stays on the page, which alone has the session', async () => {
      const { page } = await browser.visit(service.publicUrl);
      await page.addInitScript(() => {
        Object.defineProperty(window, 'sessionStorage', {
          get: () => {
            throw new DOMException('blocked', 'SecurityError');
          },
        });
      });
      await page.goto('/login');
      await new SignInForm(page).send(await service.createUser());
      await shown(page, 'You are signed in');
    });

    it('platform staff stay on the page, which offers the console first', async () => {
      const { page } = await browser.visit(service.publicUrl);
      await page.goto('/login');
      await new SignInForm(page).send(await service.createUser({ role: 'PLATFORM_MODERATOR' }));
      await shown(page, 'You are signed in');
      const ways = page.locator('.actions a');
      expect(await ways.allInnerTexts()).toEqual(['Open the console', 'Manage your account']);
      expect(await ways.first().getAttribute('class')).toBe('button primary');
    });
  });

  it('the page says below the password while Caps Lock is on', async () => {
    const { page, form } = await open();
    const hint = page.locator('[data-caps-lock=password]');
    const press = (modifierCapsLock: boolean) =>
      form.password.evaluate(
        (field, isOn) =>
          field.dispatchEvent(new KeyboardEvent('keyup', { key: 'a', modifierCapsLock: isOn })),
        modifierCapsLock,
      );
    await form.password.focus();
    await press(true);
    expect(await hint.innerText()).toBe('Caps Lock is on.');
    // Password managers send events that are none of a keyboard.
    await form.password.evaluate((field) => field.dispatchEvent(new Event('keydown')));
    expect(await hint.innerText()).toBe('Caps Lock is on.');
    await press(false);
    expect(await hint.innerText()).toBe('');
    await press(true);
    await form.email.focus();
    expect(await hint.innerText()).toBe('');
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
      await expect.poll(() => focused(page)).toBe('INPUT password');
      await form.send(user);
      await atAccount(page);
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
      await expect.poll(() => focused(page)).toBe('INPUT email');
      await form.email.pressSequentially('a');
      expect(await form.email.getAttribute('aria-invalid')).toBeNull();
      await form.button.click();
      expect(await page.locator('#email-error').innerText()).toBe('Enter a valid email address.');
      expect(calls).toEqual([]);
    });

    it.each([
      ['waits for approval', { approval: 'PENDING' }, 'Your account is waiting for approval.', 'info'],
      ['has been rejected', { approval: 'REJECTED' }, 'Your registration was not approved.', 'error'],
      ['is deactivated', { active: false }, 'This account is deactivated.', 'error'],
    ] as const)('the page reports that the account %s', async (_state, wanted, notice, kind) => {
      const { visitor, form } = await open();
      expectAnswer(visitor, 403);
      await form.send(await service.createUser(wanted));
      expect(await form.notice.innerText()).toContain(notice);
      expect(await form.notice.getAttribute('class')).toBe(`notice ${kind}`);
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
      const seconds = async () => Number(/\d+/.exec(await form.notice.innerText())?.[0]);
      const before = await seconds();
      await page.clock.fastForward('00:05');
      expect(await seconds()).toBeLessThanOrEqual(before - 5);
      // Each second would be announced otherwise.
      expect(await form.notice.getAttribute('aria-live')).toBe('off');
      await page.clock.fastForward('01:01');
      expect(await page.getByRole('status').getByText('You can try again.').count()).toBe(1);
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
      await atAccount(page);
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

  it('without JavaScript the page keeps its frame and says so, and no form takes a password', async () => {
    const { page } = await browser.visit(service.publicUrl, { javaScript: false });
    await page.goto('/login');
    expect(await page.locator('noscript').innerText()).toMatch(/^This page needs JavaScript\./);
    expect(await page.locator('.brand').innerText()).toBe('Latchkey');
    expect(await page.getByRole('heading').innerText()).toBe('Sign in');
    expect(await page.locator('form, input, button').count()).toBe(0);
  });
});
