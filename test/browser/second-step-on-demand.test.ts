import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DocumentedApp } from '../support/browser/documented-app.js';
import { atAccount, cutOff, focused, hold, said, shown } from '../support/browser/people.js';
import {
  answer,
  choose,
  passFirstStep,
  shownSecret,
  tabTo,
  userWithApp,
} from '../support/browser/second-step.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { addVirtualAuthenticator, passkeySettings } from '../support/browser/virtual-authenticator.js';
import type { Visitor } from '../support/browser/visitor.js';
import { InvitationClient } from '../support/invitation-client.js';
import { signedInUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';
import { PASSWORD } from '../support/test-users.js';
import { authenticatorApp } from '../support/totp-codes.js';

const VIEWS = '**/auth/assets/*-second-step-*';
const MISSING = 'The next step could not be loaded. Check your connection, then try again.';
const HEADING = 'Two-step verification';

describeWithBrowser('the views of the second step, which are loaded on demand', (browser) => {
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
        MAILED_SIGN_IN: 'on',
      }),
    });
    app.callOn(service.publicUrl);
  });
  afterAll(async () => {
    await app.stop();
    await service.stop();
  });

  const arrive = async (): Promise<Visitor> => {
    const visitor = await browser.visit(service.publicUrl, { origins: [app.url] });
    await visitor.page.goto('/login');
    return visitor;
  };

  const viewsAreThere = (page: Page): Promise<void> =>
    page.locator('[data-view]:not([data-view=second-loading], [data-view=second-missing])').waitFor();

  /** Each ends a second step of its kind, by the keyboard alone. */
  const KINDS = {
    'a code of the app': async ({ page }: Visitor) => {
      const user = await userWithApp(service);
      return { user, finish: () => answer(page, user.code()) };
    },
    'a recovery code': async ({ page }: Visitor) => {
      const user = await userWithApp(service);
      const finish = async (): Promise<void> => {
        await choose(page, 'BUTTON Use a recovery code');
        await expect.poll(() => focused(page)).toBe('INPUT recovery-code');
        await answer(page, user.recoveryCodes[0] ?? '');
      };
      return { user, finish };
    },
    'a first authenticator app': async ({ page }: Visitor) => {
      const user = await service.createUser();
      const finish = async (): Promise<void> => {
        await choose(page, 'BUTTON Set up');
        await shown(page, 'Add this account to your app');
        const code = authenticatorApp(await shownSecret(page));
        await tabTo(page, 'INPUT enrol-code');
        await answer(page, code());
        await shown(page, 'Save your recovery codes');
        await choose(page, "BUTTON I've saved the codes");
      };
      return { user, finish, heading: 'Set up two-step verification' };
    },
    'a passkey': async ({ page }: Visitor) => {
      const user = await signedInUser(service);
      const authenticator = await addVirtualAuthenticator(page);
      await app.addPasskey(page, user);
      await authenticator.setPresent(false);
      await page.goto('/login');
      const finish = async (): Promise<void> => {
        await authenticator.setPresent(true);
        await choose(page, 'BUTTON Use a passkey');
      };
      return { user, finish };
    },
  };

  it.each(Object.entries(KINDS))('a slow script delays %s, and says so', async (_, prepare) => {
    const visitor = await arrive();
    const { page } = visitor;
    const { user, finish, ...step } = { heading: HEADING, ...(await prepare(visitor)) };
    const release = await hold(page, VIEWS);
    await passFirstStep(page, user);
    await said(page, 'Loading…');
    release();
    await viewsAreThere(page);
    await shown(page, step.heading);
    await finish();
    await atAccount(page);
  });

  it.each(Object.entries(KINDS))(
    'a script that cannot be loaded is reported, and loaded again for %s',
    async (_, prepare) => {
      const visitor = await arrive();
      const { page } = visitor;
      const { user, finish, ...step } = { heading: HEADING, ...(await prepare(visitor)) };
      const reconnect = await cutOff(visitor, VIEWS);
      await passFirstStep(page, user);
      await page.getByRole('alert').getByText(MISSING).waitFor();
      await choose(page, 'BUTTON Try again');
      await page.getByRole('alert').getByText(MISSING).waitFor();
      await reconnect();
      await choose(page, 'BUTTON Try again');
      await shown(page, step.heading);
      await viewsAreThere(page);
      await finish();
      await atAccount(page);
    },
  );

  it('a script that cannot be loaded keeps no one from another account', async () => {
    const visitor = await arrive();
    const { page } = visitor;
    await cutOff(visitor, VIEWS);
    await passFirstStep(page, await userWithApp(service));
    await choose(page, 'BUTTON Use another account');
    await shown(page, 'Sign in');
    await expect.poll(() => focused(page)).toBe('INPUT email');
  });

  it('the script is there before the password is sent, and is loaded once', async () => {
    const { page } = await arrive();
    const loads: string[] = [];
    page.on('request', (request) => loads.push(new URL(request.url()).pathname));
    const user = await userWithApp(service);
    await passFirstStep(page, user);
    await answer(page, user.code());
    await atAccount(page);
    const views = loads.findIndex((path) => path.includes('-second-step-'));
    expect(views).toBeGreaterThanOrEqual(0);
    expect(views).toBeLessThan(loads.indexOf('/auth/login'));
    expect(loads.filter((path) => path.includes('-second-step-'))).toHaveLength(1);
  });

  it('a sign-in by mail loads the script of its own page', async () => {
    const user = await userWithApp(service);
    const visitor = await browser.visit(service.publicUrl);
    const { page } = visitor;
    await page.goto('/login?by=mail');
    await page.getByLabel('Email', { exact: true }).fill(user.email);
    await page.keyboard.press('Enter');
    const { link } = await service.mailTo(user.email);
    const reconnect = await cutOff(visitor, VIEWS);
    await page.goto(link);
    await page.getByRole('alert').getByText(MISSING).waitFor();
    await reconnect();
    await choose(page, 'BUTTON Try again');
    await page.getByLabel('Code', { exact: true }).fill(user.code());
    await atAccount(page);
  });

  it('a new user who is invited can load the script again, or set up the app later', async () => {
    const client = await InvitationClient.open(service);
    const { token } = await client.invite({ metadata: { companyName: 'Acme' } });
    const visitor = await browser.visit(service.publicUrl);
    const { page } = visitor;
    const reconnect = await cutOff(visitor, VIEWS);
    await page.goto(`/accept-invitation?token=${token}`);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText(MISSING).waitFor();
    await page.getByRole('button', { name: 'Set up later' }).waitFor();
    await reconnect();
    await choose(page, 'BUTTON Try again');
    await shown(page, 'Set up two-step verification');
  });
});
