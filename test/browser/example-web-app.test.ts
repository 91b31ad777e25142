import { createServer } from 'node:http';
import { beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { createTestAuth, TEST_PASSWORD, type TestAuth } from '@latchkey/testing';
import { bundleApp } from '../../examples/web-app/bundle-app.js';
import { COMPANIES } from '../../examples/web-app/company-list.js';
import { createWebApp } from '../../examples/web-app/web-app.js';
import { freePort } from '../../tools/shared/free-port.mjs';
import { checkAccessibility } from '../support/browser/accessibility.js';
import { expectAnswer, shown } from '../support/browser/people.js';
import { SignInForm } from '../support/browser/sign-in-form.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { addVirtualAuthenticator, passkeySettings } from '../support/browser/virtual-authenticator.js';

const [NORDWIND, PAPIER] = COMPANIES.map(({ id }) => id);

let script: string;
beforeAll(async () => {
  script = await bundleApp('web-app');
});

/** Starts the example with a user of two companies. */
async function openApp(): Promise<{ url: string; kit: TestAuth; email: string }> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const settings = { AUTH_BASE_URL: url, ...passkeySettings(port) };
  const kit = await createTestAuth({ databaseUrl: inject('postgres').url, settings });
  const modules = ['invoices'];
  const { id, email } = await kit.user({
    company: NORDWIND!,
    role: 'ADMIN',
    modules,
    permissions: ['invoices:approve'],
  });
  await kit.company({ name: PAPIER!, modules });
  const operator = { kind: 'operator', name: 'test' } as const;
  await kit.auth.memberships.upsertCompany(operator, PAPIER!, { userId: id, moduleGrants: modules });
  const server = createServer(createWebApp(kit.auth, script));
  await new Promise<void>((resolve) => void server.listen(port, resolve));
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await kit.close();
  });
  return { url, kit, email };
}

describeWithBrowser('the example of a web app', (browser) => {
  it('a user signs in, sees their access, adds a passkey, signs out and in with it', async () => {
    const { url, email } = await openApp();
    const visitor = await browser.visit(url);
    const { page } = visitor;
    await page.goto('/');
    await addVirtualAuthenticator(page);
    await shown(page, 'Sign in');
    await checkAccessibility(page);
    const form = new SignInForm(page);
    expectAnswer(visitor, 401);
    await form.send({ email, password: 'not my password' });
    await page.getByText('Email or password is wrong.').waitFor();
    await form.send({ email, password: TEST_PASSWORD });

    await page.getByRole('heading', { name: /^Hello / }).waitFor();
    const access = page.getByRole('list', { name: /^Access in / });
    await access.getByText('Permissions: invoices:approve').waitFor();
    await page.getByLabel('Company').selectOption('Papier & Co');
    await access.getByText('Role: MEMBER').waitFor();
    await checkAccessibility(page);

    await page.getByLabel('Current password').fill(TEST_PASSWORD);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Remove This device' }).waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await shown(page, 'Sign in');
    await form.passkeyButton.click();
    await page.getByRole('heading', { name: /^Hello / }).waitFor();
    await page.getByRole('button', { name: 'Remove This device' }).click();
    await expect.poll(() => page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
  });

  it('all tabs follow a sign-in, a sign-out and a revocation', async () => {
    const { url, kit, email } = await openApp();
    const visitor = await browser.visit(url);
    const { page } = visitor;
    const other = await visitor.context.newPage();
    await Promise.all([page.goto('/'), other.goto('/')]);
    await new SignInForm(page).send({ email, password: TEST_PASSWORD });
    await other.getByRole('heading', { name: /^Hello / }).waitFor();
    await other.getByRole('button', { name: 'Sign out', exact: true }).click();
    await shown(page, 'Sign in');

    await new SignInForm(page).send({ email, password: TEST_PASSWORD });
    for (const tab of [page, other]) {
      await tab.getByText('(this device)').waitFor();
      await tab.getByText('Role: ADMIN').waitFor();
    }
    const { id } = await kit.auth.admin.users.getByEmail(email);
    await kit.auth.admin.sessions.revokeAll({ kind: 'operator', name: 'test' }, id);
    expectAnswer(visitor, 401);
    await page.getByRole('button', { name: 'Sign out elsewhere' }).click();
    await page.getByText('You were signed out. Sign in again.').waitFor();
    await other.getByText('You were signed out. Sign in again.').waitFor();
  });

  it('the app continues after the access token has expired', async () => {
    const { url, kit, email } = await openApp();
    const visitor = await browser.visit(url);
    const { page } = visitor;
    await page.goto('/');
    await new SignInForm(page).send({ email, password: TEST_PASSWORD });
    await page.getByRole('heading', { name: /^Hello / }).waitFor();
    await kit.clock.advance('20m');
    expectAnswer(visitor, 401);
    await page.getByLabel('Company').selectOption('Papier & Co');
    await page.getByText('Role: MEMBER').waitFor();
  });
});
