import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser/accessibility.js';
import { startConsoleService, type ConsoleService } from '../support/browser/console-data.js';
import { loaded, question, visitConsole } from '../support/browser/console-visit.js';
import { allowAnswer } from '../support/browser/people.js';
import { photograph } from '../support/browser/photograph.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';

describeWithBrowser('users in the console', (browser) => {
  let fixture: ConsoleService;
  beforeAll(async () => {
    fixture = await startConsoleService();
  });
  afterAll(() => fixture.stop());

  it('an email that exists keeps the dialog with its input, and the field leads to that user', async () => {
    const { member } = fixture;
    const { page, visitor } = await visitConsole(browser, fixture.service, {
      user: fixture.superadmin,
      path: '/users',
    });
    allowAnswer(visitor, 409);
    await page.getByRole('button', { name: 'Add user' }).click();
    const dialog = question(page);
    await dialog.getByLabel('Email', { exact: true }).fill(member.email);
    await dialog.getByLabel('Full name').fill('Typed Before');
    await dialog.getByRole('button', { name: 'Add user' }).click();
    await dialog.getByText('There is already a user with this email.').waitFor();
    expect(await dialog.getByLabel('Email', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    expect(await dialog.getByLabel('Full name').inputValue()).toBe('Typed Before');
    await checkAccessibility(page);
    await photograph(page, 'console-add-user-taken');
    await dialog.getByRole('link', { name: 'Open the user' }).click();
    await loaded(page, member.fullName);
    expect(await dialog.count()).toBe(0);
  });

  it('a new user gets the link that sets a password, unless staff uncheck it', async () => {
    const { page } = await visitConsole(browser, fixture.service, {
      user: fixture.superadmin,
      path: '/users',
    });
    const add = async (email: string, sends: boolean): Promise<void> => {
      await page.goto('/console/users');
      await page.getByRole('button', { name: 'Add user' }).click();
      await question(page).getByLabel('Email', { exact: true }).fill(email);
      if (!sends)
        await question(page)
          .getByLabel(/^Send an email/)
          .uncheck();
      await question(page).getByRole('button', { name: 'Add user' }).click();
      await loaded(page, email);
    };
    await add('with-link@example.com', true);
    await add('without-link@example.com', false);
    const mails = await fixture.service.sql(
      `SELECT recipient FROM mail_outbox WHERE recipient LIKE '%-link@example.com'`,
    );
    expect(mails).toEqual([{ recipient: 'with-link@example.com' }]);
  });
});
