import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { checkAccessibility } from '../support/browser/accessibility.js';
import {
  addMember,
  delegate,
  newCompany,
  startCompanyService,
  visitCompany,
  type CompanyService,
} from '../support/browser/company-page.js';
import { allowAnswer, expectAnswer, focused, shown } from '../support/browser/people.js';
import { photograph } from '../support/browser/photograph.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { signedInUser } from '../support/minted-token.js';
import { TestCompany } from '../support/test-company.js';
import type { TestUser } from '../support/test-users.js';

const dialog = (page: Page) => page.getByRole('dialog');
const toast = (page: Page, text: string | RegExp) => page.locator('.toasts').getByText(text).waitFor();
const row = (page: Page, text: string) => page.locator('.row-item').filter({ hasText: text });

describeWithBrowser('the page of a company', (browser) => {
  let fixture: CompanyService;
  beforeAll(async () => {
    fixture = await startCompanyService();
  });
  afterAll(() => fixture.stop());

  const open = async (view: string, user: TestUser = fixture.owner, options = {}) => {
    const { service, company } = fixture;
    return visitCompany({ browser, service, user, path: `/${company.id}#${view}`, ...options });
  };

  it('members are found by name and role, and their rights are changed and explained by their row', async () => {
    const { page } = await open('members');
    await row(page, 'Jonas Brandt').waitFor();
    await page.getByText('Northwind Freight').waitFor();
    await checkAccessibility(page);
    await photograph(page, 'company-members');
    await page.getByLabel('Name or email').fill('ines');
    await row(page, 'Jonas Brandt').waitFor({ state: 'detached' });
    await row(page, 'Ines Okafor').getByRole('button', { name: 'Edit Ines Okafor' }).click();
    await checkAccessibility(page);
    await photograph(page, 'company-member');
    await dialog(page).getByLabel('Role').selectOption('ADMIN');
    await dialog(page).getByLabel('reports').first().check();
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await toast(page, 'The changes are saved.');
    await row(page, 'Modules: reports').waitFor();
    const [membership] = await fixture.service.sql(
      `SELECT m.role FROM company_memberships m JOIN users u ON u.id = m.user_id WHERE u.email LIKE 'ines%'`,
    );
    expect(membership).toEqual({ role: 'ADMIN' });
    await page.getByLabel('Name or email').fill('nobody at all');
    await page.getByText('No member matches.').waitFor();
  });

  it('an administrator of the company sees the reason for each module of a member', async () => {
    const { page } = await open('members');
    await page.getByRole('button', { name: 'Explain the access of Ines Okafor' }).click();
    await dialog(page).getByRole('cell', { name: 'reports' }).first().waitFor();
    await checkAccessibility(page);
    await photograph(page, 'company-explain');
    await dialog(page).getByRole('button', { name: 'Close', exact: true }).click();
  });

  it('finance fields are changed, and a membership is ended after a question', async () => {
    const { service, company } = fixture;
    const member = await addMember(service, company, ['Otto Ende', 'otto@northwind.example', 'MEMBER']);
    const { page } = await open('members');
    await page.getByRole('button', { name: 'Finance of Otto Ende' }).click();
    await dialog(page).getByLabel('Finance role').selectOption('APPROVER');
    await dialog(page).getByLabel('Approval limit').fill('2500.00');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await row(page, 'Otto Ende').getByText('Approver, approves up to 2500.00').waitFor();
    await page.getByRole('button', { name: 'Remove Otto Ende' }).click();
    await dialog(page).getByRole('button', { name: 'Remove' }).click();
    await toast(page, 'The member was removed.');
    await row(page, 'Otto Ende').waitFor({ state: 'detached' });
    const rows = await service.sql('SELECT is_active FROM company_memberships WHERE user_id = $1', [
      member.id,
    ]);
    expect(rows).toEqual([{ is_active: false }]);
  });

  it('an address is invited, the invitation is sent again, and cancelled', async () => {
    const { page } = await open('invitations');
    await page.getByText('No one was invited yet.').waitFor();
    await page.getByRole('button', { name: 'Invite' }).click();
    await dialog(page).getByLabel('Email').fill('new@northwind.example');
    await dialog(page).getByLabel('invoices').first().check();
    await photograph(page, 'company-invite');
    await checkAccessibility(page);
    await dialog(page).getByRole('button', { name: 'Invite' }).click();
    await toast(page, 'The invitation to new@northwind.example is on its way.');
    await row(page, 'new@northwind.example').getByText('Modules: invoices').waitFor();
    await checkAccessibility(page);
    await photograph(page, 'company-invitations');
    await page.getByRole('button', { name: 'Send again to new@northwind.example' }).click();
    await toast(page, 'A new link is on its way to new@northwind.example.');
    await page.getByRole('button', { name: 'Cancel the invitation to new@northwind.example' }).click();
    await dialog(page).getByRole('button', { name: 'Cancel the invitation' }).click();
    await toast(page, 'The invitation was cancelled.');
    await row(page, 'new@northwind.example').getByText('Cancelled', { exact: true }).waitFor();
  });

  it('a role is defined after a preview of what members gain and lose, and removed with its members moved', async () => {
    // The whole dialog is in sight: a heading that is scrolled half away has no contrast that could be determined.
    const visitor = await open('roles', fixture.owner, { options: { height: 1_000 } });
    const { page } = visitor;
    expectAnswer(visitor, 409);
    await page.getByText('No role is defined yet.').waitFor();
    await page.getByRole('button', { name: 'Define a role' }).click();
    await dialog(page).getByLabel('Key').fill('accountant');
    await dialog(page).getByLabel('Name', { exact: true }).fill('Accountant');
    await dialog(page).getByLabel('invoices', { exact: true }).first().check();
    await checkAccessibility(page);
    await photograph(page, 'company-role');
    await dialog(page).getByRole('button', { name: 'Preview' }).click();
    await dialog(page).getByRole('heading', { name: 'Save these changes?' }).waitFor();
    await dialog(page).getByText('Of 1 with this role, 1 member gets other rights.').waitFor();
    await dialog(page).getByRole('heading', { name: 'Lost' }).waitFor();
    await checkAccessibility(page);
    await photograph(page, 'company-role-preview');
    expect(await fixture.service.sql('SELECT 1 FROM company_roles')).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Save the role' }).click();
    await toast(page, 'The role is saved.');
    await row(page, 'Accountant').getByText('Modules: invoices').waitFor();
    await checkAccessibility(page);
    await photograph(page, 'company-roles');
    await page.getByRole('button', { name: 'Remove Accountant' }).click();
    await dialog(page).getByRole('button', { name: 'Remove the role' }).click();
    await dialog(page).getByText('Members have this role. Choose the role that they get.').first().waitFor();
    await dialog(page).getByLabel('Members and invitations get').selectOption('MEMBER');
    await dialog(page).getByRole('button', { name: 'Remove the role' }).click();
    await toast(page, 'The role was removed.');
  });

  it('the activity names members, shows no address of staff, and continues page by page', async () => {
    const staff = await signedInUser(fixture.service, { role: 'PLATFORM_ADMIN', fullName: 'Grace Staff' });
    const guest = await fixture.service.createUser({ fullName: 'Gustav Guest' });
    await fixture.company.bearer(staff.token, 'POST', '/memberships', { userId: guest.id });
    for (let count = 0; count < 51; count++) {
      await fixture.company.bearer(staff.token, 'POST', '/memberships', {
        userId: guest.id,
        role: count % 2 === 0 ? 'READER' : 'MEMBER',
      });
    }
    const { page } = await open('activity');
    await row(page, 'About Gustav Guest').first().waitFor();
    await row(page, 'By someone outside the company').first().waitFor();
    expect(await page.getByText('Grace Staff').count()).toBe(0);
    await checkAccessibility(page);
    await photograph(page, 'company-activity');
    await expect.poll(() => page.locator('.row-item').count()).toBe(50);
    await page.getByRole('button', { name: 'Show older entries' }).click();
    await row(page, 'Membership created').first().waitFor();
  });

  it('new entries appear by themselves while the activity is live, and a lost role ends the view', async () => {
    const { service, company } = fixture;
    const admin = await addMember(service, company, ['Lea Live', 'lea@northwind.example', 'ADMIN']);
    const staff = await signedInUser(service, { role: 'PLATFORM_ADMIN' });
    const changed = await service.createUser({ fullName: 'Nora Neu' });
    const visitor = await open('activity', admin);
    const { page } = visitor;
    const live = page.getByRole('button', { name: 'Live' });
    await live.click();
    await page.getByText('New entries appear automatically.').waitFor();
    expect(await live.getAttribute('aria-pressed')).toBe('true');
    await company.bearer(staff.token, 'POST', '/memberships', { userId: changed.id });
    await row(page, 'About Nora Neu').waitFor();
    await checkAccessibility(page);
    await photograph(page, 'company-activity-live');
    for (const status of [403, 404]) allowAnswer(visitor, status);
    await service.sql('UPDATE company_memberships SET is_active = false WHERE user_id = $1', [admin.id]);
    await shown(page, "You can't administer this company");
    expect(await page.getByText('Nora Neu').count()).toBe(0);
  });

  it('an API key is created, shown once, renamed, replaced and revoked', async () => {
    const { page } = await open('keys');
    await page.getByText('There are no keys yet.').waitFor();
    await page.getByRole('button', { name: 'Create a key' }).click();
    await dialog(page).getByLabel('Name').fill('ERP');
    await dialog(page).getByLabel('invoices', { exact: true }).check();
    await dialog(page).getByLabel('Valid for').selectOption('30 days');
    await checkAccessibility(page);
    await dialog(page).getByRole('button', { name: 'Create a key' }).click();
    const shownKey = dialog(page).locator('code');
    await dialog(page).getByText('Copy the key now.').waitFor();
    const key = await shownKey.innerText();
    const access = await fixture.service.api('GET', '/auth/me/access', { token: key });
    expect(access.data.modules).toEqual(['invoices']);
    await checkAccessibility(page);
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await row(page, 'ERP').getByText('Modules: invoices').waitFor();
    await checkAccessibility(page);
    await photograph(page, 'company-keys');
    await page.getByRole('button', { name: 'Rename ERP' }).click();
    await dialog(page).getByLabel('Name', { exact: true }).fill('Payroll export');
    await checkAccessibility(page);
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await toast(page, 'The key was renamed.');
    await row(page, 'Payroll export').getByText('Modules: invoices').waitFor();
    await page.getByRole('button', { name: 'Replace Payroll export' }).click();
    await dialog(page).getByRole('button', { name: 'Replace' }).click();
    await dialog(page).getByText('Copy the key now.').waitFor();
    expect(await shownKey.innerText()).not.toBe(key);
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Revoke Payroll export' }).click();
    await dialog(page).getByRole('button', { name: 'Revoke' }).click();
    await toast(page, 'The key was revoked.');
    await page.getByText('There are no keys yet.').waitFor();
  });

  it('a webhook is added, tested, seen in its deliveries, given a new secret, turned off and removed', async () => {
    const received: string[] = [];
    const receiver = createServer((request, response) => {
      received.push(String(request.headers['webhook-id']));
      response.end();
    });
    await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void receiver.close());
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
    const { page } = await open('webhooks');
    await page.getByText('There are no webhooks yet.').waitFor();
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await dialog(page).getByLabel('Address').fill(url);
    await dialog(page).getByLabel('role.changed').check();
    await checkAccessibility(page);
    await dialog(page).getByRole('button', { name: 'Add a webhook' }).click();
    await dialog(page).getByText('it is not shown again').waitFor();
    const secret = await dialog(page).locator('code').innerText();
    expect(secret).toMatch(/^whsec_/);
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await row(page, url).getByText('role.changed').waitFor();
    await page.getByRole('button', { name: `Test ${url}` }).click();
    await toast(page, 'A test message is on its way.');
    await expect.poll(() => received.length).toBe(1);
    await checkAccessibility(page);
    await photograph(page, 'company-webhooks');
    await expect
      .poll(() => fixture.service.sql('SELECT status FROM webhook_deliveries'))
      .toEqual([{ status: 'SENT' }]);
    await page.getByRole('button', { name: `Deliveries to ${url}` }).click();
    await dialog(page).getByRole('cell', { name: 'webhook.test' }).waitFor();
    await dialog(page).getByRole('cell', { name: 'Sent' }).waitFor();
    await checkAccessibility(page);
    await photograph(page, 'company-deliveries');
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await fixture.service.sql(
      `UPDATE webhook_deliveries SET status = 'DEAD', ended_at = now(), last_error = 'timeout'`,
    );
    await page.getByRole('button', { name: `Deliveries to ${url}` }).click();
    await dialog(page).getByText('Given up: no response in time').waitFor();
    await dialog(page).getByRole('button', { name: 'Send again: webhook.test' }).click();
    await expect.poll(() => received.length).toBe(2);
    const role = { name: 'Reader', modules: [], permissions: [] };
    await fixture.company.machine('PUT', '/roles/READER', role);
    await expect.poll(() => received.length).toBe(3);
    // One that is still on its way is not sent again.
    await expect
      .poll(() => fixture.service.sql('SELECT DISTINCT status FROM webhook_deliveries'))
      .toEqual([{ status: 'SENT' }]);
    await dialog(page).getByRole('button', { name: 'Send the last day again' }).click();
    // What happened before the webhook was added is sent, too.
    await toast(page, /^\d+ messages? (is|are) sent again\.$/);
    const [, , changed] = received;
    await expect.poll(() => received.filter((id) => id === changed).length).toBe(2);
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: `Replace secret of ${url}` }).click();
    await checkAccessibility(page);
    await dialog(page).getByRole('button', { name: 'Replace secret' }).click();
    await dialog(page).getByText('it is not shown again').waitFor();
    expect(await dialog(page).locator('code').innerText()).not.toBe(secret);
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: `Turn off ${url}` }).click();
    await row(page, url).getByText('Off', { exact: true }).waitFor();
    await page.getByRole('button', { name: `Remove ${url}` }).click();
    await dialog(page).getByRole('button', { name: 'Remove' }).click();
    await toast(page, 'The webhook was removed.');
  });

  it('a delegate sees invitations only, and offers what they may hand on', async () => {
    const { service, company } = fixture;
    const user = await addMember(service, company, ['Dora Delegate', 'dora@northwind.example', 'MEMBER']);
    await delegate(service, user.id, ['reports']);
    const { page } = await open('members', user);
    await shown(page, 'Invitations');
    expect(await page.locator('.side-nav a').allTextContents()).toEqual(['Invitations']);
    await page.getByText('Northwind Freight').waitFor();
    await page.getByRole('button', { name: 'Invite' }).click();
    expect(await dialog(page).getByRole('checkbox').count()).toBe(1);
    await dialog(page).getByLabel('Email').fill('from-dora@northwind.example');
    await dialog(page).getByRole('button', { name: 'Invite' }).click();
    await row(page, 'from-dora@northwind.example').getByText('Modules: reports').waitFor();
  });

  it('a member without rights sees the same as everyone at the page of a company of others', async () => {
    const { service, company } = fixture;
    const user = await addMember(service, company, ['Mia Member', 'mia@northwind.example', 'MEMBER']);
    const plain = await open('members', user);
    await shown(plain.page, "You can't administer this company");
    const other = newCompany(fixture, 'Fabrikam');
    const visitor = await visitCompany({ browser, service, user, path: `/${other.id}` });
    expectAnswer(visitor, 403);
    await shown(visitor.page, "You can't administer this company");
    await checkAccessibility(visitor.page);
  });

  it('members of a company without entitlements are managed all the same, by the end of its id', async () => {
    const { service } = fixture;
    const unknown = new TestCompany(service);
    const user = await addMember(service, unknown, ['Uma Unknown', 'uma@example.com', 'ADMIN']);
    await addMember(service, unknown, ['Udo Unknown', 'udo@example.com', 'MEMBER']);
    const visitor = await visitCompany({ browser, service, user, path: `/${unknown.id}` });
    expectAnswer(visitor, 403);
    const { page } = visitor;
    await page.getByText(`Company ${unknown.id.slice(-8)}`).waitFor();
    await page.getByRole('button', { name: 'Edit Udo Unknown' }).click();
    await dialog(page).getByLabel('Modules').fill('stock, billing');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await row(page, 'Modules: ')
      .getByText(/billing/)
      .waitFor();
  });

  it('a role that is lost while the page is open ends the view at the next request', async () => {
    const { service, company } = fixture;
    const user = await addMember(service, company, ['Lars Lost', 'lars@northwind.example', 'ADMIN']);
    const visitor = await open('members', user);
    const { page } = visitor;
    await row(page, 'Lena Sørensen').waitFor();
    await service.sql(`UPDATE company_memberships SET role = 'MEMBER' WHERE user_id = $1`, [user.id]);
    expectAnswer(visitor, 403);
    await page.getByRole('link', { name: 'Roles' }).click();
    await shown(page, "You can't administer this company");
    await expect.poll(() => focused(page)).toBe("H1 You can't administer this company");
    expect(await page.getByText('Lena Sørensen').count()).toBe(0);
  });

  it('one of several companies is chosen, two tabs never mix them, and the only one is opened at once', async () => {
    const { service, company, owner } = fixture;
    const other = newCompany(fixture, 'Fabrikam');
    await addMember(service, other, ['Fatima Fabrikam', 'fatima@fabrikam.example', 'MEMBER']);
    const user = await service.createUser({ fullName: 'Tina Two', email: 'tina@example.com' });
    for (const each of [company, other]) await each.join(user.id, { role: 'ADMIN' });
    const visitor = await visitCompany({ browser, service, user, path: '' });
    const { page } = visitor;
    await row(page, 'Fabrikam').waitFor();
    await row(page, 'Northwind Freight').waitFor();
    await checkAccessibility(page);
    await photograph(page, 'company-choice');
    await row(page, 'Fabrikam').getByRole('link', { name: 'Open' }).click();
    await row(page, 'Fatima Fabrikam').waitFor();

    const tab = await visitor.context.newPage();
    await tab.goto('/login');
    const session = await page.evaluate(() => sessionStorage.getItem('latchkey.session'));
    await tab.evaluate((text) => sessionStorage.setItem('latchkey.session', text ?? ''), session);
    await tab.goto(`/company/${company.id}`);
    await row(tab, 'Jonas Brandt').waitFor();
    await page.getByRole('button', { name: 'Remove Fatima Fabrikam' }).click();
    await dialog(page).getByText('lose access to Fabrikam').waitFor();
    await dialog(page).getByRole('button', { name: 'Remove' }).click();
    await toast(page, 'The member was removed.');
    expect(await tab.getByText('Fatima Fabrikam').count()).toBe(0);
    expect(await page.getByText('Jonas Brandt').count()).toBe(0);

    const single = await visitCompany({ browser, service, user: owner, path: '' });
    await row(single.page, 'Jonas Brandt').waitFor();
    expect(new URL(single.page.url()).pathname).toBe(`/company/${company.id}`);
  });

  it('a link with returnTo leads back, and one to a foreign host does not', async () => {
    const { service, company, owner } = fixture;
    const at = (target: string) =>
      visitCompany({
        browser,
        service,
        user: owner,
        path: `/${company.id}?returnTo=${encodeURIComponent(target)}`,
      });
    const { page } = await at('/account#sessions');
    await page.getByRole('button', { name: 'Back to the app' }).click();
    await shown(page, 'Sessions');
    const foreign = await at('https://evil.example/');
    await row(foreign.page, 'Jonas Brandt').waitFor();
    expect(await foreign.page.getByRole('button', { name: 'Back to the app' }).count()).toBe(0);
  });

  it('a sign-in that is too old is renewed by the dialog before a role is saved', async () => {
    const { service, company, owner } = fixture;
    const visitor = await visitCompany({
      browser,
      service,
      user: owner,
      path: `/${company.id}#roles`,
      isOld: true,
    });
    const { page } = visitor;
    allowAnswer(visitor, 401);
    await page.getByRole('button', { name: 'Define a role' }).click();
    await dialog(page).getByLabel('Key').fill('reader');
    await dialog(page).getByLabel('Name', { exact: true }).fill('Reader');
    await dialog(page).getByRole('button', { name: 'Preview' }).click();
    await dialog(page).getByRole('button', { name: 'Save the role' }).click();
    await page.getByLabel('Password', { exact: true }).fill(owner.password);
    await page.keyboard.press('Enter');
    await toast(page, 'The role is saved.');
  });

  it('a signed-out browser is led to the sign-in and back to the company with its view', async () => {
    const { service, company, owner } = fixture;
    const { page } = await browser.visit(service.publicUrl);
    await page.goto(`/company/${company.id}#roles`);
    await shown(page, 'Sign in');
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel('Password', { exact: true }).fill(owner.password);
    await page.keyboard.press('Enter');
    await shown(page, 'Roles');
  });

  it('the page is German where the browser is', async () => {
    const { page } = await open('members', fixture.owner, { options: { locale: 'de-DE' } });
    await shown(page, 'Mitglieder');
    await row(page, 'Jonas Brandt').waitFor();
    await photograph(page, 'company-members-german');
    await page.getByRole('link', { name: 'Rollen' }).click();
    await shown(page, 'Rollen');
    await checkAccessibility(page);
    await photograph(page, 'company-roles-german');
  });
});
