import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beSignedIn, cutOff, expectAnswer, focused, said, shown } from '../support/browser/people.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { InvitationClient } from '../support/invitation-client.js';
import { signedInUser } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';
import { insertMembership } from '../support/test-memberships.js';
import { PASSWORD } from '../support/test-users.js';

const PREVIEW = '**/auth/invitations/preview*';

describeWithBrowser('an invitation that cannot be accepted', (browser) => {
  let service: TestService;
  let testClient: InvitationClient;
  beforeAll(async () => {
    service = await startTestService();
    testClient = await InvitationClient.open(service);
  });
  afterAll(() => service.stop());

  const open = async (token: string) => {
    const visitor = await browser.visit(service.publicUrl);
    await visitor.page.goto(`/accept-invitation?token=${token}`);
    return { visitor, page: visitor.page };
  };

  const sendAsNewcomer = async (page: Page): Promise<void> => {
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account and join' }).click();
  };

  describe('the page explains at once, with a next step,', () => {
    it.each([
      ['expired', 'This invitation has expired', /Ask the person who invited you/, 409],
      ['cancelled', 'This invitation was cancelled', /The person who invited you cancelled it/, 409],
      ['accepted', 'This invitation has already been accepted', /sign in as usual/, 409],
      ['replaced', "This link doesn't work", /a newer email has replaced it/, 404],
    ] as const)(
      'the page explains at once, with a next step, that the invitation is %s',
      async (what, heading, advice, status) => {
        const { id, token } = await testClient.invite();
        await {
          expired: () => testClient.expire(id),
          cancelled: () => testClient.cancel(id),
          accepted: () => testClient.accept({ token, password: PASSWORD }),
          replaced: () => testClient.resend(id),
        }[what]();
        const { visitor, page } = await open(token);
        expectAnswer(visitor, status);
        await shown(page, heading);
        await said(page, advice);
        await expect.poll(() => focused(page)).toBe(`H1 ${heading}`);
      },
    );

    it('the page explains at once, with a next step, that the token is malformed or unknown', async () => {
      const visitor = await browser.visit(service.publicUrl);
      const { page } = visitor;
      visitor.expectFault(/status of 40[04]/);
      for (const token of ['lki_unknown', '%00', '%F0%9F%94%91', 'a&token=b']) {
        await page.goto(`/accept-invitation?token=${token}`);
        await shown(page, "This link doesn't work");
        expect(page.url()).toBe(`${service.publicUrl}/accept-invitation`);
      }
    });

    it('the page explains at once, with a next step, that there is no token', async () => {
      const { page } = await browser.visit(service.publicUrl);
      await page.goto('/accept-invitation');
      await shown(page, "This link doesn't work");
    });
  });

  describe('the open page shows that the invitation was closed', () => {
    it('the open page shows that the invitation was closed by an acceptance in another tab', async () => {
      const { token } = await testClient.invite();
      const { visitor, page } = await open(token);
      await shown(page, 'Join the company');
      await testClient.accept({ token, password: PASSWORD });
      expectAnswer(visitor, 409);
      await sendAsNewcomer(page);
      await shown(page, 'This invitation has already been accepted');
    });

    it('the open page shows that the invitation was closed by a newer mail', async () => {
      const { id, token } = await testClient.invite();
      const { visitor, page } = await open(token);
      await shown(page, 'Join the company');
      await testClient.resend(id);
      expectAnswer(visitor, 404);
      await sendAsNewcomer(page);
      await shown(page, "This link doesn't work");
    });

    it('the open page shows that the invitation was closed because the inviter may no longer offer it', async () => {
      const { id, token } = await testClient.invite();
      const stranger = await service.createUser();
      await service.sql('UPDATE invitations SET invited_by_user_id = $2 WHERE id = $1', [id, stranger.id]);
      const { visitor, page } = await open(token);
      await shown(page, 'Join the company');
      expectAnswer(visitor, 409);
      await sendAsNewcomer(page);
      await shown(page, 'This invitation was withdrawn');
      await said(page, /Ask the person who invited you/);
    });

    it('the open page shows that the invitation was closed by a registration of the email, with both ways to prove its owner', async () => {
      const { email, token } = await testClient.invite();
      const { visitor, page } = await open(token);
      await shown(page, 'Join the company');
      await service.createUser({ email, emailVerified: false });
      expectAnswer(visitor, 409);
      await sendAsNewcomer(page);
      await shown(page, 'Confirm your email first');
      await page.getByRole('link', { name: 'Reset password' }).click();
      await page.waitForURL(/\/reset-password$/);
      await page.goBack();
      await shown(page, 'Join the company');
      await page.getByRole('link', { name: 'Sign in to join' }).click();
      await page.waitForURL(/\/login\?returnTo=%2Faccept-invitation$/);
    });

    it('the open page shows that the invitation was closed because the user has become a member in another way', async () => {
      const user = await signedInUser(service);
      const { token } = await testClient.invite({ email: user.email });
      const visitor = await browser.visit(service.publicUrl);
      const { page } = visitor;
      await page.goto('/login');
      await beSignedIn(page, user);
      await page.goto(`/accept-invitation?token=${token}`);
      await shown(page, 'Join the company');
      await insertMembership(service.sql, { userId: user.id, companyId: testClient.company });
      expectAnswer(visitor, 409);
      await page.getByRole('button', { name: 'Join the company' }).click();
      await shown(page, "You're already a member of the company");
      await said(page, 'Nothing has changed.');
    });
  });

  describe('the page offers another attempt', () => {
    it('the page offers another attempt while the service is unreachable, and the next one works', async () => {
      const { token } = await testClient.invite();
      const visitor = await browser.visit(service.publicUrl);
      const { page } = visitor;
      const reconnect = await cutOff(visitor, PREVIEW);
      await page.goto(`/accept-invitation?token=${token}`);
      await shown(page, 'The service cannot be reached');
      const again = page.getByRole('button', { name: 'Try again' });
      await again.focus();
      await again.press('Enter');
      await expect.poll(() => focused(page)).toBe('H1 The service cannot be reached');
      await reconnect();
      await again.click();
      await shown(page, 'Join the company');
    });

    it('the page offers another attempt after a failed submission, and keeps the input', async () => {
      const { email, token } = await testClient.invite();
      const { visitor, page } = await open(token);
      await shown(page, 'Join the company');
      await page.getByLabel('Your name').fill('Grace');
      const reconnect = await cutOff(visitor, '**/auth/invitations/accept');
      await sendAsNewcomer(page);
      await said(page, 'The service cannot be reached at the moment.');
      await reconnect();
      await page.getByRole('button', { name: 'Create account and join' }).click();
      await shown(page, 'Welcome to the company');
      expect(await testClient.usersWith(email)).toMatchObject([{ full_name: 'Grace' }]);
    });

    it('the page offers another attempt after the rate limit of a proxy, with the time to wait', async () => {
      const { token } = await testClient.invite();
      const visitor = await browser.visit(service.publicUrl);
      const { page } = visitor;
      expectAnswer(visitor, 429);
      const error = { code: 'rate_limited', message: 'Too many requests.' };
      await page.route(PREVIEW, (route) =>
        route.fulfill({ status: 429, headers: { 'retry-after': '120' }, json: { success: false, error } }),
      );
      await page.goto(`/accept-invitation?token=${token}`);
      await shown(page, 'Too many attempts');
      await said(page, 'Please wait 2 minutes and try again.');
      await page.unroute(PREVIEW);
      await page.getByRole('button', { name: 'Try again' }).click();
      await shown(page, 'Join the company');
    });
  });
});
