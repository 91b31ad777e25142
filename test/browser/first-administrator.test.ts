import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { firstRunOf } from '@latchkey/pages/internal';
import { checkAccessibility } from '../support/browser/accessibility.js';
import { inspect, inspectArrival } from '../support/browser/inspect.js';
import { callsOf, allowAnswer, expectAnswer, focused, said, shown } from '../support/browser/people.js';
import { photograph } from '../support/browser/photograph.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { serviceForThisTest, type TestService, type TestServiceOptions } from '../support/service.js';

const TITLE = 'Create the first administrator';
const STOPS = ['Full name', 'Email', 'Password', 'Show password', 'Create administrator'];
const PASSWORD = 'the first horse of all';

const linkOf = ({ auth, url }: TestService): string => {
  const { pathname, search } = new URL(firstRunOf(auth).link(Number(new URL(url).port)));
  return pathname + search;
};

async function fillIn(page: Page, email = 'ada@example.com'): Promise<void> {
  await page.getByLabel('Full name').fill('Ada Lovelace');
  await page.getByLabel('Email').fill(email);
  await page.locator('#password').fill(PASSWORD);
}

const send = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Create administrator' }).click();

describeWithBrowser('the first run', (browser) => {
  const open = async (options: TestServiceOptions = {}) => {
    const service = await serviceForThisTest({
      ...options,
      env: (port) => ({
        AUTH_BASE_URL: `http://localhost:${port}`,
        ...(options.env as Record<string, string>),
      }),
    });
    const visitor = await browser.visit(service.publicUrl);
    const { page } = visitor;
    await page.goto(linkOf(service));
    return { service, visitor, page };
  };

  it('the link leads to the console in one form', async () => {
    const { page, service } = await open();
    await shown(page, TITLE);
    await inspectArrival(page, 'first-administrator', STOPS);
    expect(page.url()).not.toContain('token');
    const calls = callsOf(page);
    await send(page);
    await said(page, 'Enter your email.');
    await expect.poll(() => focused(page)).toBe('INPUT fullName');
    expect(calls).toEqual([]);
    await fillIn(page);
    await send(page);
    await page.waitForURL('**/console');
    await shown(page, 'Overview');
    expect(await service.sql('SELECT email, global_role FROM users')).toEqual([
      { email: 'ada@example.com', global_role: 'PLATFORM_SUPERADMIN' },
    ]);
  });

  it('the console of a first run leads to what production needs', async () => {
    const { page } = await open();
    await fillIn(page);
    await send(page);
    await page.waitForURL('**/console');
    await page.getByRole('link', { name: 'What production needs' }).click();
    const section = page.getByRole('region', { name: 'Before production' });
    await section.waitFor();
    // What a start in production would refuse, and what it would turn off.
    for (const text of ['JWT_SIGNING_KEY_PEM', 'AUTH_BASE_URL=https://', 'SMTP_URL', 'latchkey mail test'])
      expect(await section.textContent()).toContain(text);
    await checkAccessibility(page);
  });

  it('the link leads to the console in cookie mode, too', async () => {
    const { page } = await open({ env: { AUTH_WEB_COOKIE_MODE: 'true' } });
    await fillIn(page);
    await send(page);
    await page.waitForURL('**/console');
    await shown(page, 'Overview');
  });

  it('where staff need a second factor, the new administrator sets it up at the sign-in', async () => {
    const { page } = await open({ env: { SECOND_FACTOR: 'staff' } });
    await fillIn(page);
    await send(page);
    await page.waitForURL('**/login?returnTo=%2Fconsole');
    await shown(page, 'Sign in');
    expect(await page.locator('#email').inputValue()).toBe('ada@example.com');
  });

  it('a link that is wrong or used leads on', async () => {
    const { page, service, visitor } = await open();
    await page.goto('/first-administrator?token=wrong');
    expectAnswer(visitor, 400);
    await fillIn(page);
    await send(page);
    await shown(page, 'This link does not work');
    await inspect(page, 'first-administrator-unusable', []);
    await page.goto(linkOf(service));
    await fillIn(page);
    await service.createUser({ role: 'PLATFORM_SUPERADMIN' });
    expectAnswer(visitor, 409);
    await send(page);
    await shown(page, 'There is already an administrator');
    await inspect(page, 'first-administrator-exists', ['Sign in']);
    await page.goto(linkOf(service));
    await shown(page, 'There is already an administrator');
  });

  it('the email of a user asks for another one', async () => {
    const { page, service, visitor } = await open();
    await service.createUser({ email: 'ada@example.com' });
    expectAnswer(visitor, 409);
    await fillIn(page);
    await send(page);
    await said(page, 'There is already an account with this email.');
    await expect.poll(() => focused(page)).toBe('INPUT email');
    await page.getByLabel('Email').fill('ruth@example.com');
    await send(page);
    await page.waitForURL('**/console');
  });

  it('the pages that lead nowhere without an administrator say so', async () => {
    const { page, visitor } = await open();
    await page.goto('/login');
    await page.getByText('There is no administrator yet.').waitFor();
    await checkAccessibility(page);
    await photograph(page, 'first-run-login');
    await page.goto('/');
    await page.getByRole('heading', { name: TITLE }).waitFor();
    await checkAccessibility(page);
    await photograph(page, 'first-run-home');
    allowAnswer(visitor, 401);
    await page.goto('/console');
    await page.getByText('There is no administrator yet.').waitFor();
  });
});
