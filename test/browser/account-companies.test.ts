import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser/accessibility.js';
import { announced, openAccount, openFresh } from '../support/browser/account-page.js';
import {
  addMember,
  newCompany,
  startCompanyService,
  type CompanyService,
} from '../support/browser/company-page.js';
import { expectAnswer } from '../support/browser/people.js';
import { photograph } from '../support/browser/photograph.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';

const dialog = (page: Page) => page.getByRole('dialog');
const row = (page: Page, text: string) => page.locator('.row-item').filter({ hasText: text });

describeWithBrowser('the companies of the account page', (browser) => {
  let fixture: CompanyService;
  beforeAll(async () => {
    fixture = await startCompanyService();
  });
  afterAll(() => fixture.stop());

  it('the account lists companies by name and role, leads administrators to their page, and leaves one', async () => {
    const { service, company } = fixture;
    const other = newCompany(fixture, 'Fabrikam');
    const user = await addMember(service, company, ['Nils Noble', 'nils@northwind.example', 'ADMIN']);
    await other.join(user.id);
    const { page, visitor } = await openAccount({ browser, service, user });
    expectAnswer(visitor, 401);
    await row(page, 'Fabrikam').getByText('Member').waitFor();
    await row(page, 'Northwind Freight').getByText('Admin', { exact: true }).waitFor();
    await checkAccessibility(page);
    await photograph(page, 'account-companies');
    expect(await row(page, 'Fabrikam').getByRole('link').count()).toBe(0);

    await page.getByRole('button', { name: 'Leave Fabrikam' }).click();
    await dialog(page).getByRole('button', { name: 'Leave' }).click();
    await page.getByLabel('Password', { exact: true }).fill(user.password);
    await page.keyboard.press('Enter');
    await announced(page, 'You have left Fabrikam.');
    await row(page, 'Fabrikam').waitFor({ state: 'detached' });
    const rows = await service.sql(
      'SELECT is_active FROM company_memberships WHERE user_id = $1 AND company_id = $2',
      [user.id, other.id],
    );
    expect(rows).toEqual([{ is_active: false }]);

    await page.getByRole('link', { name: 'Manage Northwind Freight' }).click();
    await row(page, 'Jonas Brandt').waitFor();
  });

  it('the last superadmin is not let go, and learns what to do', async () => {
    const { service, owner } = fixture;
    const { page, visitor } = await openFresh({ browser, service, user: owner });
    expectAnswer(visitor, 409);
    await page.getByRole('button', { name: 'Leave Northwind Freight' }).click();
    await dialog(page).getByRole('button', { name: 'Leave' }).click();
    await dialog(page).getByText('The company needs at least one superadmin.').waitFor();
  });
});
