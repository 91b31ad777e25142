import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectNoTokenInAddress } from '../support/browser/address.js';
import {
  callsOf,
  focused,
  keptInTab,
  liveSessions,
  pressAtOnce,
  said,
  shown,
} from '../support/browser/people.js';
import { PlantedPages } from '../support/browser/planted-pages.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { databaseContent } from '../support/database-content.js';
import { InvitationClient } from '../support/invitation-client.js';
import { startTestService, type TestService } from '../support/service.js';
import { PASSWORD } from '../support/test-users.js';

const ACME = { role: 'ACCOUNT_MANAGER', metadata: { companyName: 'Acme & Sons' } };

describeWithBrowser('an invitation of a new user', (browser) => {
  let webApp: PlantedPages;
  let service: TestService;
  let invitations: InvitationClient;
  beforeAll(async () => {
    webApp = await PlantedPages.serve({ '/': { body: '<h1>The web app</h1>' } });
    service = await startTestService({ env: { WEB_APP_URL: webApp.url, PASSWORD_BLOCKLIST: 'true' } });
    invitations = await InvitationClient.open(service);
  });
  afterAll(async () => {
    await webApp.stop();
    await service.stop();
  });

  const open = async (offer: object = ACME) => {
    const { email, token } = await invitations.invite({ ...offer });
    const visitor = await browser.visit(service.publicUrl, { origins: [webApp.url] });
    const { page } = visitor;
    const password = page.getByLabel('Password', { exact: true });
    const button = page.getByRole('button', { name: 'Create account and join' });
    await page.goto(`/accept-invitation?token=${token}`);
    await button.waitFor();
    return { visitor, page, email, token, password, button };
  };

  it('the chosen password creates an account and a membership', async () => {
    const { page, email, password, button } = await open();
    await shown(page, 'Join Acme & Sons');
    await expect.poll(() => focused(page)).toBe('H1 Join Acme & Sons');
    await said(page, 'Ada Lovelace invited you to join as an Account manager.');
    await said(page, /This invitation expires on \d{1,2} [A-Z][a-z]+ \d{4} at \d\d:\d\d\./);
    await page.getByLabel('Your name').fill('Grace Hopper');
    await password.fill(PASSWORD);
    await pressAtOnce(button, 5);
    await shown(page, 'Welcome to Acme & Sons');
    await expect.poll(() => focused(page)).toBe('H1 Welcome to Acme & Sons');
    expect(await invitations.usersWith(email)).toMatchObject([
      { full_name: 'Grace Hopper', is_active: true },
    ]);
    expect(await invitations.membershipsOf(email)).toMatchObject([
      { role: 'ACCOUNT_MANAGER', is_active: true },
    ]);
    expect(await liveSessions(service, email)).toBe(1);
  });

  it('the page continues to the web app and leaves no unused session', async () => {
    const { page, email, password, button } = await open();
    await password.fill(PASSWORD);
    await button.click();
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL(`${webApp.url}/`);
    expect(await liveSessions(service, email)).toBe(0);
    expect(await invitations.usersWith(email)).toMatchObject([{ full_name: null }]);
  });

  it('the page removes the token from the address and survives a reload', async () => {
    const { page } = await open();
    expect(page.url()).toBe(`${service.publicUrl}/accept-invitation`);
    await page.reload();
    await shown(page, 'Join Acme & Sons');
    await expectNoTokenInAddress(page);
  });

  it('a reload shows that the invitation has been accepted', async () => {
    const { visitor, page, password, button } = await open();
    await password.fill(PASSWORD);
    await button.click();
    await shown(page, 'Welcome to Acme & Sons');
    visitor.expectFault(/status of 409/);
    await page.reload();
    await shown(page, 'This invitation has already been accepted');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await shown(page, 'You are signed in');
  });

  it('the page works without the name of the company', async () => {
    const { page, password, button } = await open({});
    await shown(page, 'Join the company');
    await said(page, 'invited you to join as a Member.');
    await password.fill(PASSWORD);
    await button.click();
    await shown(page, 'Welcome to the company');
  });

  it('a password that is too short is reported beside the field before anything is sent', async () => {
    const { page, email, password, button } = await open();
    const calls = callsOf(page);
    await password.pressSequentially('7 chars');
    await button.click();
    expect(await page.locator('#password-error').innerText()).toBe('Use at least 8 characters.');
    expect(await page.locator('#password-hint').innerText()).toBe('At least 8 characters.');
    expect(await password.getAttribute('aria-describedby')).toBe('password-hint password-error');
    expect([await password.getAttribute('aria-invalid'), await focused(page)]).toEqual([
      'true',
      'INPUT password',
    ]);
    expect(calls).toEqual([]);
    expect(await invitations.statesOf(email)).toEqual(['PENDING']);
  });

  it('a common password is rejected beside the field, and another one works', async () => {
    const { visitor, page, password, button } = await open();
    visitor.expectFault(/status of 400/);
    await password.fill('password1');
    await button.click();
    await said(page, 'Choose a password that is harder to guess.');
    await expect.poll(() => focused(page)).toBe('INPUT password');
    await password.fill(PASSWORD);
    expect(await page.locator('#password-error').isVisible()).toBe(false);
    await password.press('Enter');
    await shown(page, 'Welcome to Acme & Sons');
  });

  it('a password manager saves the new password for the invited email', async () => {
    const { page, email } = await open();
    const fields = await page.locator('form:visible input:visible').evaluateAll((inputs) =>
      inputs.map((input) => {
        const { name, type, autocomplete, readOnly, value } = input as HTMLInputElement;
        return [name, type, autocomplete, readOnly, value];
      }),
    );
    expect(fields).toEqual([
      ['email', 'email', 'username', true, email],
      ['fullName', 'text', 'name', false, ''],
      ['password', 'password', 'new-password', false, ''],
    ]);
  });

  it('opening the invitation any number of times changes nothing', async () => {
    const { page, token, email } = await open();
    const before = await databaseContent(service.sql);
    for (let count = 0; count < 10; count++) {
      await page.goto(`/accept-invitation?token=${token}`);
      await shown(page, 'Join Acme & Sons');
    }
    expect(await databaseContent(service.sql)).toEqual(before);
    expect(await invitations.statesOf(email)).toEqual(['PENDING']);
    expect(await keptInTab(page)).toEqual(['latchkey.invitation']);
  });
});
