import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  callsOf,
  cutOff,
  expectAnswer,
  keptInTab,
  liveSessions,
  said,
  sessionCookies,
  shown,
} from '../support/browser/people.js';
import { PlantedPages } from '../support/browser/planted-pages.js';
import { SignInForm } from '../support/browser/sign-in-form.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { ACCESS, REFRESH, STATE } from '../support/cookie-browser.js';
import { InvitationClient } from '../support/invitation-client.js';
import { mintTokens } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';
import { PASSWORD, type TestUser } from '../support/test-users.js';

describeWithBrowser('the pages in cookie mode', (browser) => {
  let webApp: PlantedPages;
  let service: TestService;
  let testClient: InvitationClient;
  beforeAll(async () => {
    webApp = await PlantedPages.serve({ '/': { body: '<h1>The web app</h1>' } });
    service = await startTestService({ env: { AUTH_WEB_COOKIE_MODE: 'true', WEB_APP_URL: webApp.url } });
    testClient = await InvitationClient.open(service);
  });
  afterAll(async () => {
    await webApp.stop();
    await service.stop();
  });

  const arrive = async () => {
    const visitor = await browser.visit(service.publicUrl, { origins: [webApp.url] });
    const { page, context } = visitor;
    return { visitor, page, context, form: new SignInForm(page) };
  };

  /** Opens a browser with the cookies of a signed-in user. */
  const signedIn = async (user?: TestUser) => {
    const person = user ?? (await service.createUser());
    const arrived = await arrive();
    await addCookies(arrived.context, service, person);
    return { user: person, ...arrived };
  };

  it('a sign-in sets cookies that scripts cannot read and stores nothing in the tab', async () => {
    const user = await service.createUser();
    const { page, context, form } = await arrive();
    await page.goto('/login?returnTo=/login');
    await form.send(user);
    await shown(page, 'You are signed in');
    const cookies = await sessionCookies(context);
    expect(
      cookies.map(({ name, httpOnly, secure, sameSite }) => ({ name, httpOnly, secure, sameSite })),
    ).toEqual([
      { name: ACCESS, httpOnly: true, secure: true, sameSite: 'Lax' },
      { name: REFRESH, httpOnly: true, secure: true, sameSite: 'Lax' },
      { name: STATE, httpOnly: false, secure: true, sameSite: 'Lax' },
    ]);
    expect(await page.evaluate(() => document.cookie)).toBe('lk_state=1');
    expect(await keptInTab(page)).toEqual([]);
  });

  it('the session outlives the page and is available in the web app', async () => {
    const { page, user } = await signedIn();
    await page.goto('/login');
    await shown(page, 'You are signed in');
    await said(page, user.email);
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL(`${webApp.url}/`);
    expect(await liveSessions(service, user.email)).toBe(1);
  });

  it('the page renews an expired access token', async () => {
    const { visitor, page, context, user } = await signedIn();
    await context.clearCookies({ name: ACCESS });
    const calls = callsOf(page);
    expectAnswer(visitor, 401);
    await page.goto('/login');
    await shown(page, 'You are signed in');
    expect(calls).toEqual(['GET /auth/me', 'POST /auth/refresh', 'GET /auth/me']);
    expect((await sessionCookies(context)).map(({ name }) => name)).toContain(ACCESS);
    expect(await liveSessions(service, user.email)).toBe(1);
  });

  it('the page of a session that was ended elsewhere shows the form and clears the cookies', async () => {
    const { visitor, page, context, user } = await signedIn();
    await service.sql('UPDATE sessions SET is_revoked = true, revoked_at = now() WHERE user_id = $1', [
      user.id,
    ]);
    expectAnswer(visitor, 401);
    await page.goto('/login');
    await shown(page, 'Sign in');
    expect(await sessionCookies(context)).toEqual([]);
  });

  it('the account page works by cookies: a step-up raises the session, and a sign-out clears them', async () => {
    const { visitor, page, context, user } = await signedIn();
    expectAnswer(visitor, 401);
    await page.goto('/account#profile');
    await shown(page, 'Profile');
    await page.getByRole('button', { name: 'Change email' }).click();
    await page.getByLabel('New email').fill('new@example.com');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await shown(page, "Confirm it's you");
    await page.getByRole('dialog').getByRole('textbox', { name: 'Password' }).fill(user.password);
    const answer = page.waitForResponse('**/auth/step-up');
    await page.getByRole('button', { name: 'Confirm' }).click();
    expect(await (await answer).text()).not.toMatch(/eyJ|Token"/);
    await page.getByText('We have sent a link to new@example.com.').waitFor();
    expect(await keptInTab(page)).toEqual(['latchkey.pending-email']);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await shown(page, 'You are signed out');
    expect(await sessionCookies(context)).toEqual([]);
    await page.goto('/account');
    await shown(page, 'Sign in');
  });

  it('a sign-out clears the cookies and ends the session', async () => {
    const { page, context, user } = await signedIn();
    await page.goto('/login');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await shown(page, 'You are signed out');
    expect(await sessionCookies(context)).toEqual([]);
    expect(await liveSessions(service, user.email)).toBe(0);
  });

  it('the page does not report a sign-out while the cookies still exist', async () => {
    const { visitor, page, context } = await signedIn();
    await page.goto('/login');
    const reconnect = await cutOff(visitor, '**/auth/logout');
    const signOut = page.getByRole('button', { name: 'Sign out' });
    await signOut.click();
    await said(page, "You're still signed in because the service cannot be reached.");
    await reconnect();
    await signOut.click();
    await shown(page, 'You are signed out');
    expect(await sessionCookies(context)).toEqual([]);
  });

  it('the page reports a browser that blocks cookies', async () => {
    const { page, context, form } = await arrive();
    const session = await context.newCDPSession(page);
    await page.goto('/login');
    await session.send('Emulation.setDocumentCookieDisabled', { disabled: true });
    await form.send(await service.createUser());
    await said(page, 'Your browser blocks the cookies of this page.');
    expect(page.url()).toBe(`${service.publicUrl}/login`);
  });

  describe('an invitation', () => {
    it('an invitation signs a new user in, without a token in the page', async () => {
      const { email, token } = await testClient.invite();
      const { page } = await arrive();
      await page.goto(`/accept-invitation?token=${token}`);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      const answer = page.waitForResponse('**/auth/invitations/accept');
      await page.getByRole('button', { name: 'Create account and join' }).click();
      expect(await (await answer).text()).not.toMatch(/eyJ|lkr_|Token"/);
      await shown(page, 'Welcome to the company');
      expect(await keptInTab(page)).toEqual(['latchkey.invitation']);
      await page.getByRole('link', { name: 'Continue' }).click();
      await page.waitForURL(`${webApp.url}/`);
      await page.goto('/login');
      await said(page, email);
    });

    it('an invitation lets a signed-in user join with one button', async () => {
      const { page, user } = await signedIn();
      const { token } = await testClient.invite({ email: user.email });
      await page.goto(`/accept-invitation?token=${token}`);
      await page.getByRole('button', { name: 'Join the company' }).click();
      await shown(page, 'Welcome to the company');
      expect(await testClient.membershipsOf(user.email)).toHaveLength(1);
    });

    it('an invitation for another account lets the user sign out and continue', async () => {
      const { page, context, user } = await signedIn();
      const { token } = await testClient.invite();
      await page.goto(`/accept-invitation?token=${token}`);
      await shown(page, 'This invitation is for another account');
      await page.getByRole('button', { name: 'Sign out and continue' }).click();
      await shown(page, 'Join the company');
      expect(await sessionCookies(context)).toEqual([]);
      expect(await liveSessions(service, user.email)).toBe(0);
    });
  });
});

async function addCookies(context: BrowserContext, service: TestService, user: TestUser): Promise<void> {
  const { token, refreshToken } = await mintTokens(service, user.id);
  // Secure cookies are taken for addresses of HTTPS only; a cookie itself has no scheme.
  const url = service.publicUrl.replace('http:', 'https:');
  const kept = { url, secure: true, sameSite: 'Lax' } as const;
  await context.addCookies([
    { ...kept, name: ACCESS, value: token, httpOnly: true },
    { ...kept, name: REFRESH, value: refreshToken, httpOnly: true },
    { ...kept, name: STATE, value: '1', httpOnly: false },
  ]);
}
