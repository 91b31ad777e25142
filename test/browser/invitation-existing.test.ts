import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  beSignedIn,
  callsOf,
  expectAnswer,
  focused,
  liveSessions,
  pressAtOnce,
  said,
  shown,
} from '../support/browser/people.js';
import { answer } from '../support/browser/second-step.js';
import { SignInForm } from '../support/browser/sign-in-form.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { InvitationClient } from '../support/invitation-client.js';
import { mintTokens, signedInUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';

const ACME = { role: 'ADMIN', metadata: { companyName: 'Acme' } };

describeWithBrowser('an invitation of an existing user', (browser) => {
  let service: TestService;
  let invitations: InvitationClient;
  beforeAll(async () => {
    service = await startTestService();
    invitations = await InvitationClient.open(service);
  });
  afterAll(() => service.stop());

  /** Invites a user who then opens the link of the mail. */
  const invited = async (beforehand?: (page: Page, email: string) => Promise<void>) => {
    const user = await service.createUser();
    const visitor = await browser.visit(service.publicUrl);
    const { page } = visitor;
    if (beforehand) {
      await page.goto('/login');
      await beforehand(page, user.email);
    }
    const { token } = await invitations.invite({ ...ACME, email: user.email });
    await page.goto(`/accept-invitation?token=${token}`);
    return { user, visitor, page, token, join: page.getByRole('button', { name: 'Join Acme' }) };
  };

  it('an invited user signs in, comes back and joins', async () => {
    const { user, page, join } = await invited();
    await shown(page, 'Join Acme');
    await said(page, `sign in as ${user.email} to join`);
    await page.getByRole('link', { name: 'Sign in to join' }).click();
    await said(page, 'to accept your invitation');
    const form = new SignInForm(page);
    expect(await form.email.inputValue()).toBe(user.email);
    await expect.poll(() => focused(page)).toBe('INPUT password');
    await answer(page, user.password);
    await page.waitForURL('**/accept-invitation');
    await said(page, `signed in as ${user.email}`);
    await pressAtOnce(join, 5);
    await shown(page, 'Welcome to Acme');
    const ways = page.locator('[data-view=joined] .actions a');
    expect(await ways.allInnerTexts()).toEqual(['Manage your account']);
    expect(await ways.getAttribute('class')).toBe('button primary');
    expect(await invitations.membershipsOf(user.email)).toMatchObject([{ role: 'ADMIN' }]);
    expect(await liveSessions(service, user.email)).toBe(1);
  });

  it('a signed-in user joins with one button', async () => {
    const { user, page, join } = await invited(async (page, email) => {
      await beSignedIn(page, await tokensOf(service, email));
    });
    await join.click();
    await shown(page, 'Welcome to Acme');
    expect(await invitations.membershipsOf(user.email)).toHaveLength(1);
  });

  it('the page renews an expired access token silently', async () => {
    const { visitor, page, join } = await invited(async (page, email) => {
      const { refreshToken } = await tokensOf(service, email);
      await beSignedIn(page, { token: 'expired', refreshToken });
    });
    expectAnswer(visitor, 401);
    await join.click();
    await shown(page, 'Welcome to Acme');
  });

  it('a user who is signed in to another account can switch to the invited one', async () => {
    const other = await signedInUser(service);
    const { user, page } = await invited((page) => beSignedIn(page, other));
    await shown(page, 'This invitation is for another account');
    await said(page, `signed in as ${other.email}, but the invitation was sent to ${user.email}`);
    await page.getByRole('button', { name: 'Sign out and continue' }).click();
    await page.getByRole('link', { name: 'Sign in to join' }).waitFor();
    expect(await liveSessions(service, other.email)).toBe(0);
    expect(await invitations.membershipsOf(other.email)).toEqual([]);
  });

  it('a signed-in user can sign out instead of joining', async () => {
    const { user, page } = await invited(async (page, email) => {
      await beSignedIn(page, await tokensOf(service, email));
    });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in to join' }).waitFor();
    expect(await liveSessions(service, user.email)).toBe(0);
    expect(await invitations.statesOf(user.email)).toEqual(['PENDING']);
  });

  it('the page starts again when the session has ended meanwhile', async () => {
    const { user, visitor, page, join } = await invited(async (page, email) => {
      await beSignedIn(page, await tokensOf(service, email));
    });
    await join.waitFor();
    await service.sql('UPDATE sessions SET is_revoked = true, revoked_at = now() WHERE user_id = $1', [
      user.id,
    ]);
    expectAnswer(visitor, 401);
    await join.click();
    await page.getByRole('link', { name: 'Sign in to join' }).waitFor();
    expect(await invitations.statesOf(user.email)).toEqual(['PENDING']);
  });

  it('the page asks an existing user for no password', async () => {
    const { page } = await invited();
    const calls = callsOf(page);
    await page.getByRole('link', { name: 'Sign in to join' }).waitFor();
    expect(await page.locator('input:visible').count()).toBe(0);
    expect(calls.filter((call) => !call.startsWith('GET '))).toEqual([]);
  });
});

async function tokensOf(service: TestService, email: string) {
  const [user] = await service.sql('SELECT id FROM users WHERE email = $1', [email]);
  return mintTokens(service, String(user?.id));
}
