import { afterAll, beforeAll, beforeEach, it } from 'vitest';
import { checkAccessibility } from '../support/browser/accessibility.js';
import { announced, openFresh, signIn } from '../support/browser/account-page.js';
import { expectButtonsInForcedColors, inspect, inspectArrival } from '../support/browser/inspect.js';
import { allowAnswer, beSignedIn, hold, said, shown } from '../support/browser/people.js';
import { photograph } from '../support/browser/photograph.js';
import { ProviderPage } from '../support/browser/provider-page.js';
import { choose } from '../support/browser/second-step.js';
import { SignInForm } from '../support/browser/sign-in-form.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { passkeySettings } from '../support/browser/virtual-authenticator.js';
import type { VisitOptions } from '../support/browser/visitor.js';
import { externalEnv, googlePerson } from '../support/external-client.js';
import { HostileProvider } from '../support/hostile-provider.js';
import { startTestService, type TestService } from '../support/service.js';
import { agedSession } from '../support/step-up-client.js';

const LABELS = ['Google', 'Contoso', 'Plain', 'Strict', 'GitHub'];

describeWithBrowser('appearance of sign-ins by other services', (browser) => {
  let provider: HostileProvider;
  let there: ProviderPage;
  let service: TestService;
  beforeAll(async () => {
    provider = await HostileProvider.start();
    there = await ProviderPage.start(provider);
    const { EXTERNAL_PROVIDERS = '', ...env } = externalEnv(provider, {
      EXTERNAL_SIGN_UP: 'true',
      PUBLIC_REGISTRATION_ENABLED: 'true',
      WEB_APP_URL: 'http://localhost:1',
    });
    const [google, ...others] = JSON.parse(EXTERNAL_PROVIDERS) as object[];
    const microsoft = { ...google, id: 'contoso', type: 'microsoft', label: 'Contoso' };
    const providers = JSON.stringify([google, microsoft, ...others]);
    service = await startTestService({
      env: (port) => ({ ...env, EXTERNAL_PROVIDERS: providers, ...passkeySettings(port) }),
    });
  });
  beforeEach(() => {
    there.behave({});
    there.person = googlePerson();
  });
  afterAll(async () => {
    await service.stop();
    there.stop();
    provider.stop();
  });

  const open = async (path: string, options: VisitOptions = {}) => {
    const visitor = await browser.visit(service.publicUrl, { ...options, origins: [there.url] });
    await visitor.page.goto(path);
    return { visitor, page: visitor.page };
  };

  it('the sign-in form with buttons of services is accessible', async () => {
    const { page } = await open('/login');
    const buttons = LABELS.map((label) => `Continue with ${label}`);
    await inspectArrival(page, 'external-login', [
      ...['Email', 'Password', 'Show password', 'Forgot your password?', 'Sign in'],
      ...['Sign in with a passkey', ...buttons, 'Create an account'],
    ]);
    await expectButtonsInForcedColors(page);
  });

  it('the sign-in form with buttons of services is accessible in German', async () => {
    const { page } = await open('/login', { locale: 'de-DE' });
    const buttons = LABELS.map((label) => `Weiter mit ${label}`);
    await inspectArrival(page, 'external-login-de', [
      ...['E-Mail-Adresse', 'Passwort', 'Passwort anzeigen', 'Passwort vergessen?', 'Anmelden'],
      ...['Mit Passkey anmelden', ...buttons, 'Konto erstellen'],
    ]);
  });

  it('the registration form with buttons of services is accessible', async () => {
    const { page } = await open('/register');
    await page.locator('.providers').waitFor();
    await checkAccessibility(page);
    await photograph(page, 'external-register');
  });

  it('the page is accessible while the sign-in is checked, and when it has failed', async () => {
    there.person = undefined;
    const { page, visitor } = await open('/login');
    allowAnswer(visitor, 401);
    const release = await hold(page, '**/auth/external/finish');
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await shown(page, 'One moment');
    await inspectArrival(page, 'external-checking', []);
    release();
    await shown(page, 'You are not signed in');
    await inspect(page, 'external-failed', ['Try again', 'Sign in another way']);
    await expectButtonsInForcedColors(page);
  });

  it('the page is accessible in a browser that has not begun the sign-in', async () => {
    const { page } = await open('/external/callback/google?state=lks_a&code=b');
    await shown(page, 'Go back to where you began');
    await inspectArrival(page, 'external-elsewhere', ['Sign in here']);
  });

  it('the sign-in that links an account is accessible, and the page after it', async () => {
    const user = await service.createUser();
    there.person = { ...googlePerson(user.email), email_verified: false };
    const { page } = await open('/login');
    await page.getByRole('button', { name: 'Continue with Plain' }).click();
    await said(page, /An account with your email address exists/);
    await inspect(page, 'external-link', [
      ...['Email', 'Password', 'Show password', 'Forgot your password?', 'Sign in'],
      'Sign in with a passkey',
    ]);
    await new SignInForm(page).send(user);
    await shown(page, 'Plain is linked');
    await inspect(page, 'external-linked', ['Continue', 'Manage your account']);
  });

  it('linked accounts are accessible on the account page', async () => {
    const user = await service.createUser();
    const { page } = await openFresh({
      browser,
      service,
      user,
      view: 'security',
      options: { origins: [there.url] },
    });
    await page.getByText('No account is linked.').waitFor();
    await page.getByRole('button', { name: 'Link Strict' }).click();
    await announced(page, 'Strict is linked.');
    await page.getByRole('button', { name: /^Unlink Strict/ }).waitFor();
    await checkAccessibility(page);
    await photograph(page, 'external-account');
    await page.getByRole('button', { name: /^Unlink Strict/ }).click();
    await shown(page, 'Unlink Strict?');
    await checkAccessibility(page);
    await photograph(page, 'external-unlink');
    await choose(page, 'BUTTON Cancel');
    const { page: german, visitor } = await open('/login', { locale: 'de-DE' });
    allowAnswer(visitor, 401);
    await beSignedIn(german, await agedSession(service, await signIn(service, user)));
    await german.goto('/account#security');
    await german.getByRole('button', { name: /^Verknüpfung mit Strict, / }).click();
    await photograph(german, 'external-unlink-de');
    await german.getByRole('dialog').getByRole('button', { name: 'Verknüpfung lösen' }).click();
    await german.getByText('Mit Strict bestätigen').waitFor();
    await checkAccessibility(german);
    await photograph(german, 'external-step-up-de');
  });
});
