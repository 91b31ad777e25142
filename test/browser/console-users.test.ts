import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser/accessibility.js';
import { startConsoleService, type ConsoleService } from '../support/browser/console-data.js';
import { chooseMore, confirm, loaded, question, visitConsole } from '../support/browser/console-visit.js';
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

  it('a list is saved as CSV with all its pages, by the filters that are set', async () => {
    await fixture.service.sql(
      `INSERT INTO users (id, email, full_name, auth_provider, approval_status, is_active)
       SELECT gen_random_uuid(), 'export-' || n || '@example.com', '=Exported, ' || n, 'password', 'APPROVED', true
       FROM generate_series(1, 1203) AS n`,
    );
    const { page } = await visitConsole(browser, fixture.service, {
      user: fixture.superadmin,
      path: '/users?search=export-',
    });
    await page.getByText('1,203 users').waitFor();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('users.csv');
    const lines = (await readFile(await saved.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines[0]).toBe(
      '\u{feff}id,email,fullName,globalRole,approvalStatus,isActive,emailVerifiedAt,lastLoginAt,createdAt',
    );
    expect(lines).toHaveLength(1204);
    expect(new Set(lines.map((line) => line.split(',')[1])).size).toBe(1204);
    expect(lines.slice(1).every((line) => /,export-\d+@example\.com,"'=Exported, \d+",/.test(line))).toBe(
      true,
    );
    await page.getByText('The file has 1,203 rows.').waitFor();
    await checkAccessibility(page);
    await photograph(page, 'console-users-exported');
    await fixture.service.sql(`DELETE FROM users WHERE email LIKE 'export-%'`);
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

  it('a new role is stated before and after, and that of a superadmin takes the typed email', async () => {
    const user = await fixture.service.createUser({ email: 'riser@example.com', fullName: 'Rosa Riser' });
    const { page } = await visitConsole(browser, fixture.service, {
      user: fixture.superadmin,
      path: `/users/${user.id}`,
    });
    const dialog = question(page);
    await chooseMore(page, 'Change role');
    await dialog.getByText('Currently: No platform role.').waitFor();
    const button = dialog.getByRole('button', { name: 'Change role' });
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByLabel('New role').selectOption('Superadmin');
    expect(await button.isDisabled()).toBe(true);
    await checkAccessibility(page);
    await photograph(page, 'console-role');
    await dialog.getByLabel('Type riser@example.com to confirm').fill('riser@example.com');
    expect(await button.isDisabled()).toBe(false);
    await dialog.getByLabel('New role').selectOption('Admin');
    await dialog.getByLabel('Reason (optional)').fill('ticket 4711');
    await button.click();
    await page.getByText('The role was changed.').waitFor();
    const newest = page.locator('.timeline-entry').first();
    await newest.getByText('No platform role → Admin · ticket 4711').waitFor();
  });

  it('nothing is offered that has no effect on the user', async () => {
    const user = await fixture.service.createUser({ fullName: 'Una Used' });
    const { page } = await visitConsole(browser, fixture.service, {
      user: fixture.superadmin,
      path: `/users/${user.id}`,
    });
    await loaded(page, 'Una Used');
    await page.getByText('Not signed in anywhere').waitFor();
    await page.getByText('No passkey and no authenticator app').waitFor();
    for (const name of [
      'End all sessions',
      'Reset sign-in methods',
      'Send confirmation email',
      'Reactivate',
    ]) {
      expect(await page.getByRole('button', { name, includeHidden: true }).count()).toBe(0);
    }
  });

  it('an account that its user has deleted says when it is erased, and can be deactivated instead', async () => {
    const user = await fixture.service.createUser({ fullName: 'Dora Gone' });
    await fixture.service.sql(
      `UPDATE users SET is_active = false, delete_at = now() + interval '7 days' WHERE id = $1`,
      [user.id],
    );
    const { page } = await visitConsole(browser, fixture.service, {
      user: fixture.superadmin,
      path: `/users/${user.id}`,
    });
    await loaded(page, 'Dora Gone');
    const notice = page.getByText('The user has deleted this account.');
    await notice.waitFor();
    await checkAccessibility(page);
    await photograph(page, 'console-deletion-pending');
    await chooseMore(page, 'Deactivate');
    await confirm(page, 'The user was deactivated.');
    await notice.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'Reactivate', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Deactivate', exact: true }).count()).toBe(0);
  });

  it('the name in the frame opens a menu that leads to the own account, by keyboard too', async () => {
    const { page } = await visitConsole(browser, fixture.service, { user: fixture.superadmin });
    await loaded(page, 'Overview');
    const button = page.getByRole('button', { name: /^.*Mara Lindqvist/ });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Security', exact: true }).waitFor();
    await checkAccessibility(page);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('link', { name: 'Account', exact: true }).count()).toBe(0);
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await button.click();
    await photograph(page, 'console-account-menu');
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    await page.waitForURL(/\/account$/);
  });

  it('the details of an audit entry are copied one by one and as JSON', async () => {
    const { page } = await visitConsole(browser, fixture.service, {
      user: fixture.superadmin,
      path: '/audit?event=session_minted',
    });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await loaded(page, 'Audit log');
    await page.locator('.records.audit button.disclosure').first().click();
    await checkAccessibility(page);
    await photograph(page, 'console-audit-details');
    await page.getByRole('button', { name: 'Copy: User ID' }).click();
    const id = await page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole('button', { name: 'Copy as JSON' }).click();
    const entry: unknown = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    expect(entry).toMatchObject({ event: 'session_minted', subjectUserId: id });
  });
});
