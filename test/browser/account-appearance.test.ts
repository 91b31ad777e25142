import type { Page } from 'playwright-core';
import { afterAll, beforeAll, it } from 'vitest';
import { openAccount, openFresh, signIn, type AccountView } from '../support/browser/account-page.js';
import { expectButtonsInForcedColors, inspect, inspectArrival } from '../support/browser/inspect.js';
import { expectAnswer, shown } from '../support/browser/people.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { addVirtualAuthenticator, passkeySettings } from '../support/browser/virtual-authenticator.js';
import { enrolFactor } from '../support/enrolled-user.js';
import { startTestService, type TestService } from '../support/service.js';
import type { TestUser } from '../support/test-users.js';

const SIDE = ['Profile', 'Security', 'Sessions', 'API keys', 'Your data', 'Sign out'];
const PROFILE = [
  'Name',
  'Country or dial code optional',
  'Phone number optional',
  'Email language optional',
  'Save changes',
  'Change email',
];

describeWithBrowser('appearance of the account page', (browser) => {
  let service: TestService;
  let user: TestUser;
  beforeAll(async () => {
    service = await startTestService({ env: (port) => passkeySettings(port) });
    user = await service.createUser({ email: 'grace.hopper@navy.example.com', fullName: 'Grace Hopper' });
  });
  afterAll(() => service.stop());

  /** The user has one session in this test. */
  const withoutSessions = () => service.sql('DELETE FROM sessions WHERE user_id = $1', [user.id]);
  const open = (view: AccountView) => openFresh({ browser, service, user, view });
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  it('the profile is accessible', async () => {
    const { page } = await open('profile');
    await inspectArrival(page, 'account-profile', [...SIDE, ...PROFILE]);
    await expectButtonsInForcedColors(page);
    await page.getByLabel('Name', { exact: true }).fill('');
    await press(page, 'Save changes');
    await page.getByText('Enter your full name.').waitFor();
    await inspect(page, 'account-profile-faulty', [...SIDE, ...PROFILE]);
  });

  it('ways to sign in are accessible, with dialogs for each', async () => {
    const { page } = await open('security');
    await addVirtualAuthenticator(page);
    await page.getByText('You have no passkeys yet.').waitFor();
    await inspect(page, 'account-security-empty', [
      ...SIDE,
      'Change password',
      'Add a passkey',
      'Add an authenticator app',
    ]);
    await press(page, 'Change password');
    await page.getByLabel('New password', { exact: true }).fill('quiet meadow');
    await inspect(page, 'account-password', [
      'Current password',
      'Show password',
      'New password',
      'Show password',
      'Cancel',
      'Save',
    ]);
    await page.keyboard.press('Escape');
    await press(page, 'Add an authenticator app');
    await shown(page, 'Add this account to your app');
    await inspect(page, 'account-enrol', ['Copy the key', 'Open the app', 'Code', 'Cancel', 'Confirm']);
  });

  it('the list of sessions is accessible', async () => {
    await withoutSessions();
    await signIn(service, user, { 'x-device-name': 'iPhone of Grace' });
    await signIn(service, user, {
      'user-agent':
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36',
    });
    const { page } = await open('sessions');
    await page.getByText('iPhone of Grace').waitFor();
    await inspect(page, 'account-sessions', [
      ...SIDE,
      'Sign out Chrome on Windows',
      'Sign out iPhone of Grace',
      'Sign out everywhere else',
    ]);
  });

  it('what is kept is accessible', async () => {
    const { page } = await open('data');
    await press(page, 'Prepare my data');
    await page.getByText('Memberships of companies').waitFor();
    await page.getByText('The whole document').click();
    await inspect(page, 'account-data', [
      ...SIDE,
      'Contents',
      'The whole document',
      'The whole document',
      'Prepare my data',
      'Download as JSON',
    ]);
  });

  it('the dialog for a fresh sign-in is accessible, and the page after the session has ended', async () => {
    const person = await service.createUser({ fullName: 'Ada Lovelace' });
    const { page, visitor } = await openAccount({ browser, service, user: person, view: 'security' });
    await enrolFactor(service.sql, person.id);
    await page.reload();
    await page.getByText('Recovery codes').waitFor();
    await inspect(page, 'account-security-enrolled', [
      ...SIDE,
      'Change password',
      'Add a passkey',
      'Remove Phone',
      'Create new codes',
      'Add an authenticator app',
    ]);
    await press(page, 'Remove Phone');
    await inspect(page, 'account-confirm', ['Cancel', 'Remove']);
    expectAnswer(visitor, 401);
    await press(page, 'Remove');
    await shown(page, "Confirm it's you");
    await inspect(page, 'account-step-up', ['Code', 'Cancel', 'Confirm', 'Use a recovery code']);
    await service.sql('UPDATE sessions SET is_revoked = true, revoked_at = now() WHERE user_id = $1', [
      person.id,
    ]);
    await page.getByLabel('Code').fill('123456');
    await shown(page, 'You are signed out');
    await inspect(page, 'account-session-ended', ['Sign in again']);
  });
});
