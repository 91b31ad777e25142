import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectNoTokenInAddress } from '../support/browser/address.js';
import { inspect, inspectArrival } from '../support/browser/inspect.js';
import { callsOf, expectAnswer, keptInTab, pressAtOnce, said, shown } from '../support/browser/people.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { DELETION_ENV, DeletionClient } from '../support/deletion-client.js';
import { startTestService, type TestService } from '../support/service.js';
import type { TestUser } from '../support/test-users.js';
import { waitUntil } from '../support/wait-until.js';

const SIGN_IN = [
  'Email',
  'Password',
  'Show password',
  'Forgot your password?',
  'Sign in',
  'Send the link again',
  'Create an account',
];

describeWithBrowser('the deletion of an account', (browser) => {
  let service: TestService;
  let deletions: DeletionClient;
  beforeAll(async () => {
    service = await startTestService({ env: DELETION_ENV });
    deletions = new DeletionClient(service);
  });
  afterAll(() => service.stop());

  const isActive = async (id: string): Promise<unknown> =>
    (await service.sql('SELECT is_active FROM users WHERE id = $1', [id]))[0]?.is_active;

  /** Signs in on the page, as far as the account allows. */
  const signIn = async ({ email, password }: TestUser, target = '/account') => {
    const visitor = await browser.visit(service.publicUrl);
    const { page } = visitor;
    await page.goto(`/login?returnTo=${target}`);
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    return { visitor, page, submit: page.getByRole('button', { name: 'Sign in', exact: true }) };
  };

  const opened = async (user: TestUser) => {
    const { visitor, page, submit } = await signIn(user);
    await submit.click();
    await page.waitForURL('**/account');
    await page.getByRole('link', { name: 'Your data' }).click();
    const section = page.getByRole('region', { name: 'Delete your account' });
    await section.waitFor();
    return { visitor, page, section, dialog: page.getByRole('dialog', { name: 'Delete your account?' }) };
  };

  it('a user deletes the account after a question, and the page says until when the link keeps it', async () => {
    const user = await service.createUser();
    const { page, section, dialog } = await opened(user);
    await section.getByRole('button', { name: 'Delete account' }).click();
    await dialog.waitFor();
    await inspect(page, 'account-deletion-question', ['Cancel', 'Delete account']);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await isActive(user.id)).toBe(true);
    await section.getByRole('button', { name: 'Delete account' }).click();
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('heading', { name: 'Your account will be deleted' }).waitFor();
    await page.getByText(user.email).waitFor();
    await inspect(page, 'account-deletion-done', []);
    expect(await isActive(user.id)).toBe(false);
    await page.goto('/account');
    await page.waitForURL('**/login**');
  });

  it('a member of staff reads what to do first', async () => {
    const user = await service.createUser({ role: 'PLATFORM_MODERATOR' });
    const { visitor, page, section, dialog } = await opened(user);
    await section.getByRole('button', { name: 'Delete account' }).click();
    expectAnswer(visitor, 409);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.getByText('Ask a superadmin to remove it first.').waitFor();
    await inspect(page, 'account-deletion-staff', ['Cancel', 'Delete account']);
    expect(await isActive(user.id)).toBe(true);
  });

  it('a sign-in says that the account is about to be deleted, sends the link again, and its page keeps the account', async () => {
    const user = await service.signedIn();
    await deletions.requested(user);
    const { visitor, page, submit } = await signIn(user);
    expectAnswer(visitor, 403);
    await submit.click();
    await said(page, /about to be deleted/);
    await inspect(page, 'account-deletion-sign-in', SIGN_IN);
    await page.getByRole('button', { name: 'Send the link again' }).click();
    await page.getByText(/the link is on its way/).waitFor();
    const token = await deletions.tokenTo(user.email, 2);

    await page.goto(`/undo-deletion?token=${token}`);
    await shown(page, 'Keep your account?');
    await expectNoTokenInAddress(page);
    await page.reload();
    await inspectArrival(page, 'undo-deletion', ['Keep my account']);
    expect(await isActive(user.id)).toBe(false);
    const calls = callsOf(page);
    await pressAtOnce(page.getByRole('button', { name: 'Keep my account' }), 5);
    await shown(page, 'Your account stays');
    expect(calls).toEqual(['POST /auth/me/deletion/undo']);
    expect(await keptInTab(page)).toEqual([]);
    await inspect(page, 'undo-deletion-done', ['Sign in']);
    await waitUntil(() => isActive(user.id), { what: 'an active account' });
  });

  it('a link that was used before explains itself', async () => {
    const visitor = await browser.visit(service.publicUrl);
    const { page } = visitor;
    await page.goto('/undo-deletion?token=lkd_unknown');
    expectAnswer(visitor, 400);
    await page.getByRole('button', { name: 'Keep my account' }).click();
    await shown(page, 'This link no longer works');
    await inspect(page, 'undo-deletion-unusable', ['Sign in']);
  });
});
