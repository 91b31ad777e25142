import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectButtonsInForcedColors, inspect, inspectArrival } from '../support/browser/inspect.js';
import { beSignedIn, cutOff, expectAnswer, hold, said, shown } from '../support/browser/people.js';
import { SignInForm } from '../support/browser/sign-in-form.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { passkeySettings } from '../support/browser/virtual-authenticator.js';
import { signedInUser } from '../support/minted-token.js';
import { serviceForThisTest, startTestService, type TestService } from '../support/service.js';

const FIELDS = ['Email', 'Password', 'Show password', 'Sign in'];
const FORM = [...FIELDS, 'Sign in with a passkey', 'Forgot your password?'];
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
    await page.locator('form[aria-busy=true]').waitFor();
    await inspect(page, 'login-sending', FORM);
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
    await inspectArrival(page, 'login-signed-in', ['Continue', 'Sign out']);
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

  it('the page is accessible with a long brand name, a wide logo and an accent of low contrast', async () => {
    const branded = await serviceForThisTest({
      env: {
        BRAND_NAME: 'Donaudampfschifffahrtsgesellschaft & Company Holdings Ltd.',
        BRAND_LOGO_URL: '/brand/logo.svg',
        BRAND_ACCENT: '#ffff00',
      },
    });
    const { page } = await browser.visit(branded.publicUrl);
    await page.route('**/brand/logo.svg', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: LOGO }),
    );
    await page.goto('/login');
    expect(await page.locator('.logo').evaluate((logo: HTMLImageElement) => logo.naturalWidth)).toBe(300);
    await inspectArrival(page, 'login-branded', [...FIELDS, 'Forgot your password?']);
  });
});
