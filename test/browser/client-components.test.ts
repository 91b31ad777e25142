import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import express from 'express';
import type { Page } from 'playwright-core';
import { beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { createAuthRouter } from '@latchkey/express-adapter';
import { createTestAuth, TEST_PASSWORD, type TestAuth } from '@latchkey/testing';
import { freePort } from '../../tools/shared/free-port.mjs';
import { AuthenticatorApp } from '../support/authenticator-app.js';
import { bundleForBrowsers } from '../support/browser-bundle.js';
import { checkAccessibility } from '../support/browser/accessibility.js';
import { stateOf } from '../support/browser/client-page.js';
import { callsOf, cutOff, expectAnswer, focused, shown } from '../support/browser/people.js';
import { SignInForm } from '../support/browser/sign-in-form.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { addVirtualAuthenticator, passkeySettings } from '../support/browser/virtual-authenticator.js';

const FIRST = '11111111-1111-4111-8111-111111111111';
const SECOND = '22222222-2222-4222-8222-222222222222';

let script: string;
const style = readFileSync('packages/client/src/components.css', 'utf8');
beforeAll(async () => {
  script = await bundleForBrowsers('test/support/browser/react-entry.tsx');
});

const pageIn = (language: string): string => `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>App</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/app.css">
<div id="root"></div>
<script type="module" src="/app.js"></script>
</html>`;

interface App {
  url: string;
  kit: TestAuth;
  email: string;
}

/** Starts an app with a user of two companies. */
async function startApp(): Promise<App> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const settings = { AUTH_BASE_URL: url, MAILED_SIGN_IN: 'on', ...passkeySettings(port) };
  const kit = await createTestAuth({ databaseUrl: inject('postgres').url, settings });
  const modules = ['invoices'];
  const user = await kit.user({ company: SECOND, modules, fullName: 'Ann Berg' });
  await kit.company({ name: FIRST, modules });
  const operator = { kind: 'operator', name: 'test' } as const;
  const grants = { moduleGrants: modules, permissionGrants: ['invoices:approve'] };
  // Memberships are listed newest first.
  await kit.auth.memberships.upsertCompany(operator, FIRST, { userId: user.id, role: 'ADMIN', ...grants });
  const app = express();
  app.get('/app.js', (_request, response) => void response.type('js').send(script));
  app.get('/app.css', (_request, response) => void response.type('css').send(style));
  app.get('/en', (_request, response) => void response.type('html').send(pageIn('en')));
  app.get('/de', (_request, response) => void response.type('html').send(pageIn('de')));
  app.use(createAuthRouter(kit.auth, { pages: false }));
  const server = createServer(app);
  await new Promise<void>((resolve) => void server.listen(port, resolve));
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await kit.close();
  });
  return { url, kit, email: user.email };
}

const works = (page: Page, company: string, role: string) =>
  page
    .getByText(`Ann Berg works in ${company.slice(0, 4)} as ${role}.`)
    .first()
    .waitFor();

describeWithBrowser('the ready-made components of the client', (browser) => {
  it('a user signs in, sees their profile, changes the company of this tab, and signs out', async () => {
    const { url, email } = await startApp();
    const visitor = await browser.visit(url);
    const { page } = visitor;
    await page.goto('/en');
    await shown(page, 'Sign in');
    await checkAccessibility(page);
    expect(await page.getByRole('link').allTextContents()).toEqual([
      'Forgot your password?',
      'Create an account',
    ]);
    const form = new SignInForm(page);
    expectAnswer(visitor, 401);
    await form.send({ email, password: 'not my password' });
    await page.getByRole('alert').getByText('Email or password is wrong.').waitFor();
    expect(await form.password.evaluate((input) => input === document.activeElement)).toBe(true);
    const calls = callsOf(page);
    await form.send({ email, password: TEST_PASSWORD });
    await works(page, FIRST, 'ADMIN');
    await page.getByText('Sign-ins: 1').waitFor();
    expect(calls.filter((call) => call === 'GET /auth/me')).toHaveLength(1);

    await page.getByLabel('Company').selectOption(`Company ${SECOND.slice(0, 4)}`);
    await works(page, SECOND, 'MEMBER');
    const other = await visitor.context.newPage();
    await other.goto('/en');
    await works(other, FIRST, 'ADMIN');
    await page.reload();
    await works(page, SECOND, 'MEMBER');

    const button = page.getByRole('button', { name: 'Ann Berg' });
    await button.click();
    await page.getByText(email).waitFor();
    await checkAccessibility(page);
    await page.keyboard.press('Escape');
    expect(await button.getAttribute('aria-expanded')).toBe('false');
    await expect.poll(() => focused(page)).toContain('Ann Berg');
    await button.press('Enter');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await shown(page, 'Sign in');
    await shown(other, 'Sign in');
    expect(await page.getByRole('button', { name: 'Ann Berg' }).count()).toBe(0);
  });

  it('administrators of the chosen company see its members and find one, and others have no access', async () => {
    const { url, kit, email } = await startApp();
    const operator = { kind: 'operator', name: 'test' } as const;
    for (let count = 0; count < 26; count++) {
      const { id } = await kit.user({ fullName: `Member ${count}` });
      await kit.auth.memberships.upsertCompany(operator, FIRST, { userId: id });
    }
    const visitor = await browser.visit(url);
    const { page } = visitor;
    expectAnswer(visitor, 403);
    await page.goto('/en?members');
    await new SignInForm(page).send({ email, password: TEST_PASSWORD });
    const rows = page.getByRole('region', { name: 'Members' }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(25);
    await checkAccessibility(page);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count()).toBe(27);
    await page.getByLabel('Name or email').fill('ann');
    await expect.poll(() => rows.allTextContents()).toEqual([`Ann Berg Role ADMIN${email}`]);
    expect(await page.getByRole('link', { name: 'Manage the company' }).getAttribute('href')).toBe(
      `/company/${FIRST}`,
    );
    await page.getByLabel('Name or email').fill('not a member');
    await page.getByText('No member matches.').waitFor();
    await page.getByLabel('Company').selectOption(`Company ${SECOND.slice(0, 4)}`);
    await page.getByText('You have no access to this page.').waitFor();
    expect(await rows.count()).toBe(0);
  });

  it('what a permission protects is shown in the company that grants it', async () => {
    const { url, email } = await startApp();
    const visitor = await browser.visit(url);
    const { page } = visitor;
    await page.goto('/en#invoices:approve');
    await new SignInForm(page).send({ email, password: TEST_PASSWORD });
    await works(page, FIRST, 'ADMIN');
    await page.getByLabel('Company').selectOption(`Company ${SECOND.slice(0, 4)}`);
    await page.getByText('You have no access to this page.').waitFor();
    const allow = await cutOff(visitor, '**/auth/me/access');
    await page.getByLabel('Company').selectOption(`Company ${FIRST.slice(0, 4)}`);
    await page.getByText('The service cannot be reached. Try again.').waitFor();
    await allow();
    await page.getByRole('button', { name: 'Try again' }).click();
    await works(page, FIRST, 'ADMIN');
  });

  it('all components that show the user follow a reload, and another user', async () => {
    const { url, kit, email } = await startApp();
    const { page } = await browser.visit(url);
    await page.goto('/en');
    await new SignInForm(page).send({ email, password: TEST_PASSWORD });
    await works(page, FIRST, 'ADMIN');
    await page.evaluate(() => window.client.account.update({ fullName: 'Ann King' }));
    await page.getByRole('button', { name: 'Reload' }).first().click();
    await page.getByRole('button', { name: 'Ann King' }).waitFor();
    await expect.poll(() => page.getByText(/^Ann King works in/).count()).toBe(2);

    const { email: other } = await kit.user({ fullName: 'Ben Other' });
    await page.evaluate((credentials) => window.client.signIn(credentials), {
      email: other,
      password: TEST_PASSWORD,
    });
    await page.getByRole('button', { name: 'Ben Other' }).waitFor();
    expect(await page.getByText('Ann King').count()).toBe(0);
    expect(await page.getByLabel('Company').count()).toBe(0);
  });

  it('a passkey signs in', async () => {
    const { url, email } = await startApp();
    const { page } = await browser.visit(url);
    await page.goto('/en');
    await addVirtualAuthenticator(page);
    const form = new SignInForm(page);
    await form.send({ email, password: TEST_PASSWORD });
    await works(page, FIRST, 'ADMIN');
    const currentPassword = TEST_PASSWORD;
    await page.evaluate(
      (password) => window.client.passkeys.add({ currentPassword: password }),
      currentPassword,
    );
    await page.evaluate(() => window.client.signOut());
    await form.passkeyButton.click();
    await works(page, FIRST, 'ADMIN');
  });

  it('the code of a mail signs in, also of one that is sent again', async () => {
    const { url, kit, email } = await startApp();
    const visitor = await browser.visit(url);
    const { page } = visitor;
    const codeOf = async (): Promise<string> => {
      const { link = '' } = await kit.mail.waitFor(email, 'mailed_sign_in');
      return new URL(link).hash.slice(1);
    };
    await page.goto('/en');
    await page.getByRole('button', { name: 'Sign in by email' }).click();
    const focusedName = () => page.evaluate(() => document.activeElement?.getAttribute('name'));
    await expect.poll(focusedName).toBe('email');
    await page.keyboard.type(email);
    await page.keyboard.press('Enter');
    await page.getByText(`If ${email} has an account, a mail with a code is on its way.`).waitFor();
    await expect.poll(focusedName).toBe('code');
    await checkAccessibility(page);
    const first = await codeOf();
    expectAnswer(visitor, 401);
    await page.keyboard.type('AAAA-AAAA');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('This code is wrong, was used, or has expired.').waitFor();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText(`The mail to ${email} is on its way again.`).waitFor();
    const second = await codeOf();
    expect(second).not.toBe(first);
    await page.getByLabel('Code', { exact: true }).fill(second.toLowerCase());
    await page.keyboard.press('Enter');
    await works(page, FIRST, 'ADMIN');
    await page.getByText('Sign-ins: 1').waitFor();
  });

  it('in German, a second factor completes the sign-in, by a code or a recovery code', async () => {
    const { url, email } = await startApp();
    const visitor = await browser.visit(url);
    const { page } = visitor;
    await page.goto('/de');
    await page.evaluate((credentials) => window.client.signIn(credentials), {
      email,
      password: TEST_PASSWORD,
    });
    const begun = await page.evaluate(() => window.client.factors.begin('Phone'));
    const app = new AuthenticatorApp(begun.data?.secret ?? '');
    const { data } = await page.evaluate(([id, code]) => window.client.factors.confirm(id, code), [
      begun.data?.id ?? '',
      app.next(),
    ] as const);
    await page.evaluate(() => window.client.signOut());

    const toSecondStep = async (): Promise<void> => {
      await page.getByLabel('E-Mail-Adresse').fill(email);
      await page.getByLabel('Passwort').fill(TEST_PASSWORD);
      await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
      await shown(page, 'Bestätigung in zwei Schritten');
    };
    await toSecondStep();
    await checkAccessibility(page);
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('code');
    expectAnswer(visitor, 401);
    await page.keyboard.type(app.wrong());
    await page.keyboard.press('Enter');
    await page.getByText('Dieser Code ist falsch oder wurde schon verwendet.').waitFor();
    await page.getByRole('button', { name: 'Zurück' }).click();
    await toSecondStep();
    await page.getByLabel('Code', { exact: true }).fill(app.next());
    await page.getByRole('button', { name: 'Bestätigen' }).click();
    await works(page, FIRST, 'ADMIN');

    await page.evaluate(() => window.client.signOut());
    await toSecondStep();
    await page.getByRole('button', { name: 'Wiederherstellungscode verwenden' }).click();
    await page.getByLabel('Wiederherstellungscode').fill(data?.recoveryCodes?.[0] ?? '');
    await page.keyboard.press('Enter');
    await works(page, FIRST, 'ADMIN');
    expect((await stateOf(page)).status).toBe('signed_in');
  });
});
