import type { Page } from 'playwright-core';
import { afterAll, beforeAll, it } from 'vitest';
import { DocumentedApp } from '../support/browser/documented-app.js';
import { expectButtonsInForcedColors, inspect } from '../support/browser/inspect.js';
import { expectAnswer, said, shown } from '../support/browser/people.js';
import { passFirstStep, shownSecret, userWithApp } from '../support/browser/second-step.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { addVirtualAuthenticator, passkeySettings } from '../support/browser/virtual-authenticator.js';
import { InvitationClient } from '../support/invitation-client.js';
import { signedInUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';
import { PASSWORD } from '../support/test-users.js';
import { authenticatorApp, wrongCode } from '../support/totp-codes.js';

const LEAVE = 'Use another account';
const CODE = ['Code', 'Verify', 'Use a recovery code', LEAVE];
const RECOVERY = ['Recovery code', 'Verify', 'Use the authenticator app', LEAVE];
const ENROL = ['Copy the key', 'Open the app', 'Code', 'Confirm', LEAVE];
const SAVE = ['Copy', 'Download', 'Print', "I've saved the codes"];

describeWithBrowser('appearance of the second step', (browser) => {
  let app: DocumentedApp;
  let service: TestService;
  beforeAll(async () => {
    app = await DocumentedApp.serve();
    service = await startTestService({
      env: (port) => ({
        ...passkeySettings(port),
        WEBAUTHN_ORIGINS: `http://localhost:${port},${app.url}`,
        CORS_ORIGINS: app.url,
        SECOND_FACTOR: 'all',
      }),
    });
    app.callOn(service.publicUrl);
  });
  afterAll(async () => {
    await app.stop();
    await service.stop();
  });

  const open = async () => {
    const visitor = await browser.visit(service.publicUrl, { origins: [app.url] });
    await visitor.page.goto('/login');
    return { visitor, page: visitor.page };
  };

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  it('the forms of a code and of a recovery code are accessible, with a wrong code too', async () => {
    const { visitor, page } = await open();
    const user = await userWithApp(service, { email: 'grace.brewster.murray.hopper@navy.example.com' });
    await passFirstStep(page, user);
    await inspect(page, 'second-code', CODE);
    await expectButtonsInForcedColors(page);
    expectAnswer(visitor, 401);
    await page.getByRole('textbox', { name: 'Code' }).fill(wrongCode(user.code));
    await said(page, /^Incorrect code/);
    await inspect(page, 'second-code-wrong', CODE);
    await press(page, 'Use a recovery code');
    await inspect(page, 'second-recovery', RECOVERY);
  });

  it('the form is accessible after too many wrong codes, and when it leads back to the password', async () => {
    const { visitor, page } = await open();
    const user = await userWithApp(service);
    await passFirstStep(page, user);
    expectAnswer(visitor, 429);
    const error = { code: 'rate_limited', reason: 'code_limit_reached', message: 'Too many wrong codes.' };
    await page.route('**/auth/login/second-factor', (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '1800' }, json: { success: false, error } }),
    );
    // Six digits are sent by themselves.
    await page.getByRole('textbox', { name: 'Code' }).fill('123456');
    await said(page, /wait 30 minutes/);
    await inspect(
      page,
      'second-code-limited',
      CODE.filter((stop) => stop !== 'Verify'),
    );
    await page.unroute('**/auth/login/second-factor');
    expectAnswer(visitor, 401);
    await service.sql('DELETE FROM second_factor_challenges WHERE user_id = $1', [user.id]);
    await press(page, 'Use a recovery code');
    await page.getByLabel('Recovery code').fill('12345');
    await press(page, 'Verify');
    await said(page, /^The second step took too long/);
    await inspect(page, 'second-expired', [
      'Email',
      'Password',
      'Show password',
      'Forgot your password?',
      'Sign in',
      'Sign in with a passkey',
      'Create an account',
    ]);
  });

  it('the state with a passkey is accessible', async () => {
    const { page } = await open();
    const user = await signedInUser(service);
    const authenticator = await addVirtualAuthenticator(page);
    await app.addPasskey(page, user);
    await authenticator.setPresent(false);
    await page.goto('/login');
    await passFirstStep(page, user);
    await inspect(page, 'second-passkey', ['Use a passkey', LEAVE]);
    await expectButtonsInForcedColors(page);
  });

  it('each state of setting up an app is accessible', async () => {
    const { page } = await open();
    const user = await service.createUser({ email: 'ada@example.com' });
    await passFirstStep(page, user, 'Set up two-step verification');
    await inspect(page, 'enrol-start', ['Set up', LEAVE]);
    await press(page, 'Set up');
    await shown(page, 'Add this account to your app');
    await inspect(page, 'enrol', ENROL);
    await expectButtonsInForcedColors(page);
    await page.getByRole('textbox', { name: 'Code' }).fill(authenticatorApp(await shownSecret(page))());
    await shown(page, 'Save your recovery codes');
    await inspect(page, 'recovery-codes', SAVE);
    await expectButtonsInForcedColors(page);
    await press(page, 'Copy');
    await page.getByRole('status').getByText(/./).waitFor();
    await inspect(page, 'recovery-codes-copied', SAVE);
  });

  it('the state of a new member who sets up an app later is accessible', async () => {
    const { page } = await open();
    const testClient = await InvitationClient.open(service);
    const { token } = await testClient.invite({ metadata: { companyName: 'Acme' } });
    await page.goto(`/accept-invitation?token=${token}`);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await press(page, 'Create account and join');
    await shown(page, 'Set up two-step verification');
    await inspect(page, 'invitation-enrol', ['Set up', 'Set up later']);
    await press(page, 'Set up later');
    await shown(page, 'Welcome to Acme');
    await inspect(page, 'invitation-joined-signed-out', ['Sign in']);
  });
});
