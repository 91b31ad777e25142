import { afterAll, beforeAll, expect, it } from 'vitest';
import { inEachColorScheme } from '../support/browser/color-schemes.js';
import { expectButtonsInForcedColors, inspect, inspectArrival } from '../support/browser/inspect.js';
import { beSignedIn, cutOff, expectAnswer, hold, said, shown } from '../support/browser/people.js';
import { photograph } from '../support/browser/photograph.js';
import { SignInForm } from '../support/browser/sign-in-form.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { passkeySettings } from '../support/browser/virtual-authenticator.js';
import { signedInUser } from '../support/minted-token.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const FIELDS = ['Email', 'Password', 'Show password', 'Forgot your password?', 'Sign in'];
const FORM = [...FIELDS, 'Sign in with a passkey'];
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><rect width="300" height="100" fill="#b58"/></svg>`;

describeWithBrowser('appearance of the sign-in page', (browser) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      env: (port) => ({ ...passkeySettings(port), WEB_APP_URL: 'http://localhost:1' }),
    });
  });
  afterAll(() => service.stop());

  const open = async (path = '/login') => {
    const visitor = await browser.visit(service.publicUrl);
    const { page } = visitor;
    await page.goto(path);
    return { visitor, page, form: new SignInForm(page) };
  };

  it('the sign-in form is accessible', async () => {
    const { page } = await open();
    await inspectArrival(page, 'login-form', FORM);
    await expectButtonsInForcedColors(page);
  });

  it('the sign-in form is accessible when it is opened from an invitation', async () => {
    const { page } = await open('/login?returnTo=/accept-invitation');
    await said(page, 'to accept your invitation');
    await inspectArrival(page, 'login-for-invitation', FORM);
  });

  it('the sign-in form is accessible with invalid fields', async () => {
    const { page, form } = await open();
    await form.email.fill('ada');
    await form.button.click();
    await said(page, 'Enter your password.');
    await inspect(page, 'login-faulty', FORM);
  });

  it('the sign-in form is accessible after a wrong password', async () => {
    const { visitor, page, form } = await open();
    expectAnswer(visitor, 401);
    await form.send({ email: 'ada@example.com', password: 'a wrong password' });
    await form.notice.waitFor();
    await inspect(page, 'login-refused', FORM);
  });

  it('the sign-in form is accessible for an account that waits for approval', async () => {
    const { visitor, page, form } = await open();
    expectAnswer(visitor, 403);
    await form.send(await service.createUser({ approval: 'PENDING' }));
    await form.notice.waitFor();
    await inspect(page, 'login-pending', FORM);
  });

  it('the sign-in form is accessible while the service is unreachable', async () => {
    const { visitor, page, form } = await open();
    await cutOff(visitor, '**/auth/login');
    await form.send({ email: 'ada@example.com', password: 'a password' });
    await form.notice.waitFor();
    await inspect(page, 'login-unreachable', FORM);
  });

  it('the sign-in form is accessible after too many attempts', async () => {
    const { visitor, page, form } = await open();
    expectAnswer(visitor, 429);
    const error = { code: 'rate_limited', message: 'Too many requests.' };
    await page.route('**/auth/login', (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '42' }, json: { success: false, error } }),
    );
    await form.send({ email: 'ada@example.com', password: 'a password' });
    await said(page, /42 seconds/);
    await inspect(
      page,
      'login-rate-limited',
      FORM.filter((stop) => stop !== 'Sign in'),
    );
  });

  it('the sign-in form is accessible while it is being submitted', async () => {
    const { page, form } = await open();
    await hold(page, '**/auth/login');
    await form.send({ email: 'ada@example.com', password: 'a password' });
    await page.getByRole('button', { name: 'Signing in…' }).waitFor();
    await inspect(
      page,
      'login-sending',
      FORM.map((stop) => (stop === 'Sign in' ? 'Signing in…' : stop)),
    );
  });

  it('the page is accessible while it checks the session and when it has found one', async () => {
    const { page } = await open();
    await beSignedIn(page, await signedInUser(service, { email: 'ada@example.com' }));
    const release = await hold(page, '**/auth/me');
    await page.reload();
    await shown(page, 'One moment');
    await inspectArrival(page, 'login-checking', []);
    release();
    await shown(page, 'You are signed in');
    await inspectArrival(page, 'login-signed-in', ['Continue', 'Manage your account', 'Sign out']);
    await expectButtonsInForcedColors(page);
  });

  it('the page is accessible after signing out', async () => {
    const { page } = await open();
    await beSignedIn(page, await signedInUser(service));
    await page.reload();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await shown(page, 'You are signed out');
    await inspect(page, 'login-signed-out', ['Sign in again']);
  });

  it('the sign-in form is accessible in German, with the email of the last sign-in', async () => {
    const { page } = await browser.visit(service.publicUrl, { locale: 'de-DE' });
    await page.goto('/login');
    await page.evaluate(() => localStorage.setItem('latchkey.email', 'grace.hopper@example.com'));
    await page.reload();
    await shown(page, 'Anmelden');
    await inspectArrival(page, 'login-form-de', [
      'E-Mail-Adresse',
      'Passwort',
      'Passwort anzeigen',
      'Passwort vergessen?',
      'Anmelden',
      'Mit Passkey anmelden',
      'Anderes Konto verwenden',
    ]);
    await page
      .getByLabel('Passwort', { exact: true })
      .evaluate((field) =>
        field.dispatchEvent(new KeyboardEvent('keydown', { key: 'A', modifierCapsLock: true })),
      );
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await said(page, 'Geben Sie Ihr Passwort ein.');
    await photograph(page, 'login-faulty-de');
  });

  it('the page is accessible with a long brand name, wide logos, links and an accent like the color of errors', async () => {
    const branded = await serviceForThisTest({
      env: {
        BRAND_NAME: 'Donaudampfschifffahrtsgesellschaft & Company Holdings Ltd.',
        BRAND_LOGO_URL: '/brand/logo.svg',
        BRAND_LOGO_DARK_URL: '/brand/logo-dark.svg',
        BRAND_ACCENT: '#e2580b',
        TERMS_URL: '/terms',
        PRIVACY_URL: '/privacy',
        SUPPORT_URL: '/help',
      },
    });
    const { page } = await browser.visit(branded.publicUrl);
    await page.route('**/brand/logo*.svg', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: LOGO }),
    );
    await page.goto('/login');
    const logo = page.getByRole('img', {
      name: 'Donaudampfschifffahrtsgesellschaft & Company Holdings Ltd.',
    });
    expect(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(300);
    const stops = [...FIELDS, 'Terms of service', 'Privacy', 'Support'];
    await inspectArrival(page, 'login-branded', stops);
    await inEachColorScheme(page, async (scheme) => {
      const file = scheme === 'dark' ? '/brand/logo-dark.svg' : '/brand/logo.svg';
      const shownFile = () => logo.evaluate((image: HTMLImageElement) => new URL(image.currentSrc).pathname);
      await waitUntil(async () => (await shownFile()) === file, { what: file });
    });
    await new SignInForm(page).button.click();
    await said(page, 'Enter your email.');
    await inspect(page, 'login-branded-faulty', stops);
  });
});
