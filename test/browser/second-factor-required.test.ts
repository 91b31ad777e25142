import { expect, it } from 'vitest';
import { callsOf, keptInTab, sessionCookies, shown } from '../support/browser/people.js';
import { SignInForm } from '../support/browser/sign-in-form.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { secondFactorHost } from '../support/second-factor-host.js';

describeWithBrowser('a page whose sign-in requires a second factor', (browser) => {
  it.each([
    ['in the tab', {}],
    ['in cookies', { AUTH_WEB_COOKIE_MODE: 'true' }],
  ])('the sign-in page that keeps sessions %s says that a second step is missing', async (_where, env) => {
    const { url, createUser } = await secondFactorHost({ env });
    const { page, context } = await browser.visit(url);
    await page.goto('/login');
    const form = new SignInForm(page);
    const calls = callsOf(page);
    await form.send(await createUser());
    await form.notice.waitFor();
    expect(await form.notice.innerText()).toBe(
      "You aren't signed in yet: this account needs a second step, which this page doesn't offer. Sign in from your app.",
    );
    expect(await keptInTab(page)).toEqual([]);
    expect(await sessionCookies(context)).toEqual([]);
    await page.reload();
    await shown(page, 'Sign in');
    expect(calls).toEqual(['POST /auth/login']);
  });

  it('the invitation page welcomes a new member who needs a second factor and is not signed in', async () => {
    const { url, invite } = await secondFactorHost();
    const { token } = await invite();
    const { page } = await browser.visit(url);
    await page.goto(`/accept-invitation?token=${token}`);
    await page.getByLabel('Password', { exact: true }).fill('a fine long password');
    await page.getByRole('button', { name: 'Create account and join' }).click();
    await shown(page, 'Welcome to Acme');
    expect(await keptInTab(page)).toEqual(['latchkey.invitation']);
  });
});
