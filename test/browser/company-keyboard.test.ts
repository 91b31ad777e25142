import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCompanyService, visitCompany, type CompanyService } from '../support/browser/company-page.js';
import { tabToNamed } from '../support/browser/console-visit.js';
import { tabOrder } from '../support/browser/keyboard.js';
import { focused, shown } from '../support/browser/people.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';

/** Goes on to the field with this label by the Tab key. */
async function tabToField(page: Page, label: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true }).last();
  for (let presses = 0; presses < 60; presses++) {
    if (await field.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${label}.`);
}

const press = async (page: Page, name: string): Promise<void> => {
  await tabToNamed(page, name);
  await page.keyboard.press('Enter');
};
const type = async (page: Page, label: string, text: string): Promise<void> => {
  await tabToField(page, label);
  await page.keyboard.type(text);
};
const tick = async (page: Page, label: string): Promise<void> => {
  await tabToField(page, label);
  await page.keyboard.press('Space');
};
const toast = (page: Page, text: string) => page.locator('.toasts').getByText(text).waitFor();
const row = (page: Page, text: string) => page.locator('.row-item').filter({ hasText: text });

describeWithBrowser('the page of a company by keyboard', (browser) => {
  let fixture: CompanyService;
  beforeAll(async () => {
    fixture = await startCompanyService();
  });
  afterAll(() => fixture.stop());

  it('twelve tasks are done by keyboard alone, and the focus is never lost', async () => {
    const { service, company, owner } = fixture;
    const { page } = await visitCompany({ browser, service, user: owner, path: `/${company.id}` });
    await row(page, 'Ines Okafor').waitFor();

    // 1: find a member, 2: change the role, 3: give a module.
    await type(page, 'Name or email', 'ines');
    await row(page, 'Jonas Brandt').waitFor({ state: 'detached' });
    await press(page, 'Edit Ines Okafor');
    await tabToField(page, 'Role');
    await page.keyboard.press('A');
    await tick(page, 'reports');
    await press(page, 'Save');
    await toast(page, 'The changes are saved.');
    await expect.poll(() => focused(page)).toContain('Edit');
    await row(page, 'Ines Okafor').getByText('Admin', { exact: true }).waitFor();

    // 4: change the finance role, 5: remove the member.
    await press(page, 'Finance of Ines Okafor');
    await tabToField(page, 'Finance role');
    await page.keyboard.press('S');
    await press(page, 'Save');
    await row(page, 'Submitter').waitFor();
    await press(page, 'Remove Ines Okafor');
    await press(page, 'Remove');
    await toast(page, 'The member was removed.');

    // 6: open another view, 7: invite, 8: send again, 9: cancel.
    await page.keyboard.press('Home');
    await press(page, 'Invitations');
    await expect.poll(() => focused(page)).toBe('H1 Invitations');
    await press(page, 'Invite');
    await type(page, 'Email', 'new@northwind.example');
    await page.keyboard.press('Enter');
    await toast(page, 'The invitation to new@northwind.example is on its way.');
    await press(page, 'Send again to new@northwind.example');
    await toast(page, 'A new link is on its way to new@northwind.example.');
    await press(page, 'Cancel the invitation to new@northwind.example');
    await press(page, 'Cancel the invitation');
    await row(page, 'new@northwind.example').getByText('Cancelled', { exact: true }).waitFor();

    // 10: define a role after a preview, 11: leave a dialog by Escape, 12: read older activity.
    await press(page, 'Roles');
    await shown(page, 'Roles');
    await press(page, 'Define a role');
    await type(page, 'Key', 'reader');
    await type(page, 'Name', 'Reader');
    await page.keyboard.press('Enter');
    await shown(page, 'Save these changes?');
    await press(page, 'Save the role');
    await toast(page, 'The role is saved.');
    await press(page, 'Remove Reader');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toContain('Remove');
    await press(page, 'Activity');
    await press(page, 'Refresh');
    await row(page, 'Role defined').waitFor();
  });

  it('Tab reaches every control of the members in reading order, and each shows the focus', async () => {
    const { service, company, owner } = fixture;
    const { page } = await visitCompany({ browser, service, user: owner, path: `/${company.id}` });
    await row(page, 'Jonas Brandt').waitFor();
    const names = await tabOrder(page);
    expect(names.slice(0, 10)).toEqual([
      'Members',
      'Invitations',
      'Roles',
      'API keys',
      'Webhooks',
      'Activity',
      'Your account',
      'Sign out',
      'Name or email',
      'Role',
    ]);
    expect(names).toContain('Remove Jonas Brandt');
  });
});
