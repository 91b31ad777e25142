import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser/accessibility.js';
import { startConsoleService, type ConsoleService } from '../support/browser/console-data.js';
import { loaded, question, visitConsole } from '../support/browser/console-visit.js';
import { photograph } from '../support/browser/photograph.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';

describeWithBrowser('companies in the console', (browser) => {
  let fixture: ConsoleService;
  beforeAll(async () => {
    fixture = await startConsoleService();
    await fixture.service.sql(
      `UPDATE known_companies SET name = 'Northwind Freight', search_name = 'northwind freight',
         name_source = 'entitlements' WHERE company_id = $1`,
      [fixture.companyId],
    );
  });
  afterAll(() => fixture.stop());

  const open = async (path: string, user = fixture.superadmin) => {
    const { page } = await visitConsole(browser, fixture.service, { user, path });
    await loaded(page);
    return page;
  };

  it('a company is found by name, its page has the name, and members are invited, changed and removed', async () => {
    const page = await open('/companies');
    await checkAccessibility(page);
    await photograph(page, 'console-companies-named');
    await page.getByRole('searchbox').fill('NORTH');
    await page.getByRole('link', { name: 'Northwind Freight' }).click();
    await loaded(page, 'Northwind Freight');
    await checkAccessibility(page);
    await photograph(page, 'console-company-named');

    await page.getByRole('button', { name: 'Invite' }).click();
    await checkAccessibility(page);
    await question(page).getByLabel('Email').fill('new-accountant@example.com');
    await question(page).getByLabel('Another role').fill('account manager');
    await question(page).getByRole('button', { name: 'Invite' }).click();
    await page.locator('.toast').getByText('The invitation is on its way.').waitFor();
    const [invitation] = await fixture.service.sql(
      `SELECT role, metadata FROM invitations WHERE email = 'new-accountant@example.com'`,
    );
    expect(invitation).toEqual({
      role: 'ACCOUNT_MANAGER',
      metadata: { companyName: 'Northwind Freight' },
    });

    const change = page.getByRole('button', { name: /^Change role: / }).first();
    const name = ((await change.getAttribute('aria-label')) ?? '').replace('Change role: ', '');
    await change.click();
    await question(page).getByLabel('Another role').fill('Accountant');
    await question(page).getByRole('button', { name: 'Change role' }).click();
    await page.getByText('The role was changed.').waitFor();
    await page.locator('.pill').getByText('Accountant', { exact: true }).waitFor();

    await page.getByRole('button', { name: `Remove: ${name}` }).click();
    await question(page).getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The member was removed.').waitFor();
    await page.getByRole('button', { name: `Remove: ${name}` }).waitFor({ state: 'detached' });
  });

  it('an unknown company says that it is unknown, and a moderator reads without buttons', async () => {
    const page = await open(`/companies/${randomUUID()}`);
    await page.getByText('There is no company with this ID').waitFor();
    const read = await open(`/companies/${fixture.companyId}`, fixture.moderator);
    await read.getByRole('heading', { name: 'Northwind Freight' }).waitFor();
    expect(await read.getByRole('button', { name: /Change role|Remove|Invite/ }).count()).toBe(0);
  });
});
