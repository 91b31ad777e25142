import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { announced, openAccount, openFresh } from '../support/browser/account-page.js';
import { allowAnswer, focused, shown } from '../support/browser/people.js';
import { ProviderPage } from '../support/browser/provider-page.js';
import { choose, tabTo } from '../support/browser/second-step.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { addVirtualAuthenticator, passkeySettings } from '../support/browser/virtual-authenticator.js';
import { externalEnv, googlePerson } from '../support/external-client.js';
import { HostileProvider } from '../support/hostile-provider.js';
import { startTestService, type TestService } from '../support/service.js';

const CONFIRM = "Confirm it's you";

describeWithBrowser('linked accounts on the account page', (browser) => {
  let provider: HostileProvider;
  let there: ProviderPage;
  let service: TestService;
  beforeAll(async () => {
    provider = await HostileProvider.start();
    there = await ProviderPage.start(provider);
    service = await startTestService({
      env: (port) => ({
        ...externalEnv(provider, {
          EXTERNAL_SIGN_UP: 'true',
          PUBLIC_REGISTRATION_ENABLED: 'true',
          REGISTRATION_APPROVAL: 'none',
        }),
        ...passkeySettings(port),
      }),
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

  const visit = async (open: typeof openAccount) => {
    const user = await service.createUser();
    const options = { origins: [there.url] };
    return { user, ...(await open({ browser, service, user, view: 'security', options })) };
  };
  const linkedOf = (email: string) =>
    service.sql(
      'SELECT i.connection_id FROM external_identities i JOIN users u ON u.id = i.user_id WHERE u.email = $1',
      [email],
    );

  it('an account is linked by the keyboard alone, after a step-up, and is unlinked again', async () => {
    const { page, user, visitor } = await visit(openAccount);
    allowAnswer(visitor, 401);
    await page.getByText('No account is linked.').waitFor();
    await choose(page, 'BUTTON Link Google');
    await shown(page, CONFIRM);
    await page.getByRole('dialog').locator('input:focus').waitFor();
    await page.keyboard.type(user.password);
    await page.keyboard.press('Enter');
    await announced(page, 'Google is linked.');
    expect(new URL(page.url())).toMatchObject({ pathname: '/account', search: '', hash: '#security' });
    const row = page.getByRole('list', { name: 'Linked accounts' }).getByRole('listitem');
    await row.getByText(String(there.person?.email)).waitFor();
    expect(await linkedOf(user.email)).toEqual([{ connection_id: 'google' }]);

    await row.getByRole('button', { name: /^Unlink Google/ }).press('Enter');
    await shown(page, 'Unlink Google?');
    await choose(page, 'BUTTON Unlink');
    await announced(page, 'Google is unlinked.');
    await page.getByText('No account is linked.').waitFor();
    expect(await linkedOf(user.email)).toEqual([]);
  });

  it('an account of another user is not linked, and the user comes back', async () => {
    const { page } = await visit(openFresh);
    await page.getByRole('button', { name: 'Link Google' }).click();
    await announced(page, 'Google is linked.');
    const { page: other, visitor } = await visit(openFresh);
    allowAnswer(visitor, 409);
    await other.getByRole('button', { name: 'Link Google' }).click();
    await shown(other, 'Google is not linked');
    await other.getByText('This Google account is linked to a user already. Choose another one.').waitFor();
    await choose(other, 'A Back to your account');
    await shown(other, 'Security');
    await other.getByText('No account is linked.').waitFor();
  });

  it('a cancelled link changes nothing, and can be repeated', async () => {
    there.person = undefined;
    const { page, visitor } = await visit(openFresh);
    allowAnswer(visitor, 401);
    await page.getByRole('button', { name: 'Link Google' }).click();
    await shown(page, 'Google is not linked');
    await page.getByText('You cancelled at Google. Nothing has changed.').waitFor();
    there.person = googlePerson();
    await choose(page, 'BUTTON Try again');
    await announced(page, 'Google is linked.');
  });

  /** Opens the security view as a user who has registered by a service that asks again, and has no password. */
  async function withoutPassword() {
    const visitor = await browser.visit(service.publicUrl, { origins: [there.url] });
    const { page } = visitor;
    allowAnswer(visitor, 401);
    await page.goto('/login?returnTo=%2Faccount%23security');
    await page.getByRole('button', { name: 'Continue with Strict' }).click();
    await shown(page, 'Security');
    return { page, visitor };
  }

  it('a user without a password adds a passkey after a fresh sign-in at their service', async () => {
    const { page } = await withoutPassword();
    const authenticator = await addVirtualAuthenticator(page);
    const add = async () => {
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByRole('dialog').getByLabel(/^Name/).fill('Laptop');
      await choose(page, 'BUTTON Continue');
    };
    await add();
    await shown(page, CONFIRM);
    await choose(page, 'BUTTON Confirm with Strict');
    await announced(page, 'You are confirmed. Go on with what you wanted to do.');
    await add();
    await announced(page, 'Passkey added.');
    await page.getByRole('list', { name: 'Passkeys' }).getByText('Laptop').waitFor();
    expect(await authenticator.credentials()).toHaveLength(1);
    const email = String(there.person?.email);
    const rows = await service.sql(
      'SELECT u.password_hash, p.name FROM users u JOIN passkey_credentials p ON p.user_id = u.id WHERE u.email = $1',
      [email],
    );
    expect(rows).toEqual([{ password_hash: null, name: 'Laptop' }]);
  });

  it('the focus stays on a service while the other ways to confirm are still loaded', async () => {
    const { page } = await withoutPassword();
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/auth/factors', async (route) => {
      await answered;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Add an authenticator app' }).click();
    await shown(page, CONFIRM);
    await tabTo(page, 'BUTTON Confirm with Strict');
    answer();
    await page.getByText('One moment…').waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('BUTTON Confirm with Strict');
  });

  it('a user without a password adds an authenticator app after a fresh sign-in at their service', async () => {
    const { page } = await withoutPassword();
    const add = () => page.getByRole('button', { name: 'Add an authenticator app' }).click();
    await add();
    await shown(page, CONFIRM);
    await choose(page, 'BUTTON Confirm with Strict');
    await announced(page, 'You are confirmed. Go on with what you wanted to do.');
    await add();
    await page.getByRole('dialog').getByLabel(/code/i).first().waitFor();
    await expect.poll(() => page.getByRole('dialog').getByText(CONFIRM).count()).toBe(0);
  });

  it('a user who has a password cannot leave it out', async () => {
    const { page, visitor } = await visit(openFresh);
    await addVirtualAuthenticator(page);
    allowAnswer(visitor, 400);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await choose(page, 'BUTTON Continue');
    await expect
      .poll(() =>
        page
          .getByRole('dialog')
          .getByLabel(/^Current password/)
          .getAttribute('aria-invalid'),
      )
      .toBe('true');
  });

  it('a user without a password confirms with a service that asks again, and keeps one way to sign in', async () => {
    const visitor = await browser.visit(service.publicUrl, { origins: [there.url] });
    const { page } = visitor;
    allowAnswer(visitor, 401);
    allowAnswer(visitor, 409);
    const { person } = there;
    await page.goto('/login?returnTo=%2Faccount%23security');
    await page.getByRole('button', { name: 'Continue with Strict' }).click();
    await shown(page, 'Security');
    await page.getByRole('button', { name: /^Unlink Strict/ }).click();
    await choose(page, 'BUTTON Unlink');
    await shown(page, CONFIRM);
    await choose(page, 'BUTTON Confirm with Strict');
    await announced(page, 'You are confirmed. Go on with what you wanted to do.');

    await page.getByRole('button', { name: /^Unlink Strict/ }).click();
    await choose(page, 'BUTTON Unlink');
    await page.getByRole('dialog').getByText('This is your only way to sign in.').waitFor();
    await choose(page, 'BUTTON Cancel');

    there.person = googlePerson();
    await page.getByRole('button', { name: 'Link Google' }).click();
    await announced(page, 'Google is linked.');
    expect(await linkedOf(String(person?.email))).toHaveLength(2);
    await page.getByRole('button', { name: /^Unlink Strict/ }).click();
    await choose(page, 'BUTTON Unlink');
    // The session began with it.
    await shown(page, 'You are signed out');
    await expect.poll(() => focused(page)).toBe('H1 You are signed out');
  });
});
