import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectButtonsInForcedColors, inspect, inspectArrival } from '../support/browser/inspect.js';
import { atAccount, callsOf, cutOff, expectAnswer, focused, said, shown } from '../support/browser/people.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { CHOSEN, linksOf } from '../support/registration-client.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';

const FORM = ['Full name', 'Email', 'Password', 'Show password', 'Create account', 'Sign in'];
const MOST_STOPS = 20;

/** Presses Tab until the element with this text, label or id has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    await page.keyboard.press('Tab');
    if ((await focused(page)).includes(name)) return;
  }
  throw new Error(`Tab does not reach ${name}.`);
}

/** Fills in the form from its first field on, with the keyboard alone, and sends it. */
async function registerByKeyboard(page: Page, email: string, password = CHOSEN): Promise<void> {
  for (const [id, text] of [
    ['fullName', 'Ann Berg'],
    ['email', email],
    ['password', password],
  ] as const) {
    await tabTo(page, `INPUT ${id}`);
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Enter');
}

describeWithBrowser('the registration page', (browser) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: { REGISTRATION_APPROVAL: 'verified' } });
  });
  afterAll(() => service.stop());

  const open = async (path = '/register', on = service) => {
    const visitor = await browser.visit(on.publicUrl);
    const { page } = visitor;
    await page.goto(path);
    return { visitor, page };
  };

  it('a user registers, confirms by the mail and signs in with the keyboard alone, and returns', async () => {
    const { page } = await open('/login?returnTo=%2Fhealth');
    await shown(page, 'Sign in');
    await tabTo(page, 'Create an account');
    await page.keyboard.press('Enter');
    await shown(page, 'Create an account');
    const email = 'by-keyboard@example.com';
    await registerByKeyboard(page, email);
    await shown(page, 'Check your email');
    await expect.poll(() => focused(page)).toBe('H1 Check your email');
    await said(page, email);
    const { token } = linksOf(await service.mailTo(email));
    await page.goto(`/verify-email?token=${token}`);
    await shown(page, 'Confirm your registration');
    await tabTo(page, 'INPUT password');
    await page.keyboard.type(CHOSEN);
    await page.keyboard.press('Enter');
    await shown(page, 'Your registration is confirmed');
    await page.goto('/register?returnTo=%2Fhealth');
    await tabTo(page, 'A Sign in');
    await page.keyboard.press('Enter');
    await shown(page, 'Sign in');
    await tabTo(page, 'INPUT email');
    await page.keyboard.type(email);
    await tabTo(page, 'INPUT password');
    await page.keyboard.type(CHOSEN);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/health');
  });

  it('the form is accessible, and reports what is missing beside the fields', async () => {
    const { page } = await open();
    await inspectArrival(page, 'register', FORM);
    await expectButtonsInForcedColors(page);
    const calls = callsOf(page);
    await page.getByRole('button', { name: 'Create account' }).click();
    await said(page, 'Enter your full name.');
    await said(page, 'Enter your email.');
    await said(page, 'Enter your password.');
    await expect.poll(() => focused(page)).toBe('INPUT fullName');
    await inspect(page, 'register-faulty', FORM);
    expect(calls).toEqual([]);
  });

  it('the rules of the password follow what is typed', async () => {
    const { page } = await open();
    await page.locator('#password').pressSequentially('7 chars');
    await page.locator('#password-hint:not(.met)').waitFor();
    await page.locator('#password').pressSequentially(' and more');
    await page.locator('#password-hint.met').waitFor();
  });

  it('an email with an account leads to the sign-in and to a reset, and another email goes on', async () => {
    const { visitor, page } = await open('/register?returnTo=%2Fhealth');
    expectAnswer(visitor, 409);
    const { email } = await service.createUser();
    await registerByKeyboard(page, email);
    const notice = page.getByRole('alert');
    await notice.waitFor();
    expect(await notice.locator('p').allInnerTexts()).toEqual([
      'There is already an account with this email.',
      'Sign in or reset your password.',
    ]);
    await expect.poll(() => focused(page)).toBe('INPUT email');
    await inspect(page, 'register-taken', ['Sign in', 'reset your password', ...FORM]);
    expect(await notice.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe(
      'login?returnTo=%2Fhealth',
    );
    expect(await notice.getByRole('link', { name: 'reset' }).getAttribute('href')).toBe('reset-password');
    await page.locator('#email').fill('another-email@example.com');
    expect(await notice.isVisible()).toBe(false);
    await page.keyboard.press('Enter');
    await shown(page, 'Check your email');
  });

  it('the mail can be requested again after a count-down, and another email can be used', async () => {
    const { page } = await open();
    await page.clock.install();
    await page.reload();
    const email = 'impatient@example.com';
    await registerByKeyboard(page, email);
    await shown(page, 'Check your email');
    await service.mailTo(email);
    const again = page.getByRole('button', { name: /^Send/ });
    expect(await again.innerText()).toMatch(/^Send again in \d+ seconds$/);
    expect(await again.isDisabled()).toBe(true);
    await inspect(page, 'register-mail', ['Use another email']);
    await page.clock.runFor(31_000);
    await page.getByRole('button', { name: 'Send the email again', exact: true }).click();
    await said(page, 'We sent the email again.');
    expect((await service.mailTo(email, 2)).subject).toBe((await service.mailTo(email)).subject);
    await page.getByRole('button', { name: 'Use another email' }).click();
    await shown(page, 'Create an account');
    await expect.poll(() => focused(page)).toBe('INPUT email');
    expect(await page.locator('#password').inputValue()).toBe('');
  });

  it('the form keeps the input while the service is unreachable', async () => {
    const { visitor, page } = await open();
    const reconnect = await cutOff(visitor, '**/auth/register');
    await registerByKeyboard(page, 'offline@example.com');
    await said(page, /^The service cannot be reached/);
    await reconnect();
    await page.keyboard.press('Enter');
    await shown(page, 'Check your email');
  });

  it('too many registrations disable the button and say how long to wait', async () => {
    const strict = await serviceForThisTest({ env: { LOGIN_RATE_LIMIT: '1' } });
    const { visitor, page } = await open('/register', strict);
    expectAnswer(visitor, 429);
    await strict.api('POST', '/auth/login', { body: { email: 'a@example.com', password: 'x' } });
    await registerByKeyboard(page, 'limited@example.com');
    await said(page, /^Too many attempts/);
    expect(await page.getByRole('button', { name: 'Create account' }).isDisabled()).toBe(true);
    await inspect(
      page,
      'register-limited',
      FORM.filter((name) => name !== 'Create account'),
    );
  });

  it('the page and the mail are in German where the browser is', async () => {
    const { page } = await open('/register?ui_locales=de');
    await shown(page, 'Konto erstellen');
    await inspect(page, 'register-german', [
      'Vollständiger Name',
      'E-Mail-Adresse',
      'Passwort',
      'Passwort anzeigen',
      'Konto erstellen',
      'Anmelden',
    ]);
    const email = 'auf-deutsch@example.com';
    await registerByKeyboard(page, email);
    await shown(page, 'Prüfen Sie Ihre E-Mails');
    expect((await service.mailTo(email)).subject).toMatch(/^Bestätigen Sie/);
  });
});

describeWithBrowser('the end of a registration', (browser) => {
  const register = async (env: Record<string, string>, email: string) => {
    const service = await serviceForThisTest({ env });
    const { page } = await browser.visit(service.publicUrl);
    await page.goto('/register');
    await registerByKeyboard(page, email);
    return { service, page };
  };

  it('a registration that staff decide on waits, without an alarm', async () => {
    const email = 'waits@example.com';
    const { page } = await register({ EMAIL_VERIFICATION: 'off' }, email);
    await shown(page, 'Your registration is waiting for approval');
    await said(page, `We will email ${email} as soon as you can sign in.`);
    expect(await page.getByRole('alert').isVisible()).toBe(false);
    await inspect(page, 'register-waiting', []);
  });

  it('a registration that staff decide on after the proof of the mailbox says both', async () => {
    const { page } = await register({ EMAIL_VERIFICATION: 'required' }, 'both@example.com');
    await shown(page, 'Check your email');
    await said(page, 'Then an administrator decides on your registration.');
  });

  it('a registration that no one decides on signs in at once', async () => {
    const email = 'at-once@example.com';
    const { page } = await register({ REGISTRATION_APPROVAL: 'none' }, email);
    await shown(page, 'Your account is ready');
    await inspect(page, 'register-done', ['Sign in']);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByLabel('Password', { exact: true }).fill(CHOSEN);
    await page.keyboard.press('Enter');
    await atAccount(page);
  });
});
