import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startConsoleService, type ConsoleService } from '../support/browser/console-data.js';
import { chooseMore, loaded, question, visitConsole } from '../support/browser/console-visit.js';
import { allowAnswer, callsOf, expectAnswer, shown } from '../support/browser/people.js';
import { SignInForm } from '../support/browser/sign-in-form.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { serviceForThisTest } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

describeWithBrowser('the console for each role', (browser) => {
  let fixture: ConsoleService;
  beforeAll(async () => {
    fixture = await startConsoleService();
  });
  afterAll(() => fixture.stop());

  it('a moderator sees only what the role allows, also by address', async () => {
    const { page } = await visitConsole(browser, fixture.service, { user: fixture.moderator });
    await loaded(page, 'Overview');
    const calls = callsOf(page);
    expect(await page.getByRole('navigation').getByRole('link').allInnerTexts()).toEqual([
      expect.stringContaining('Overview'),
      expect.stringContaining('Approvals'),
      expect.stringContaining('Users'),
      expect.stringContaining('Sessions'),
      expect.stringContaining('Companies'),
    ]);
    for (const closed of ['audit', 'mail', 'webhooks', 'invitations', 'health']) {
      await page.goto(`/console/${closed}`);
      await shown(page, 'Your role does not include this view');
    }
    await page.goto(`/console/users/${fixture.member.id}`);
    await loaded(page, fixture.member.fullName);
    expect(await page.locator('main').getByRole('button').allInnerTexts()).toEqual(['Copy']);
    await page.goto('/console/users');
    await loaded(page, 'Users');
    expect(await page.getByRole('button', { name: 'Add user' }).count()).toBe(0);
    expect(calls.filter((call) => /audit|mail|webhooks|invitations|health/.test(call))).toEqual([]);
  });

  it('the view of a user says that codes are blocked, and what ends it', async () => {
    const user = await fixture.service.createUser({ fullName: 'Ada Blocked' });
    await fixture.service.sql('UPDATE users SET wrong_codes = 100 WHERE id = $1', [user.id]);
    const { page } = await visitConsole(browser, fixture.service, {
      user: fixture.moderator,
      path: `/users/${user.id}`,
    });
    await page.getByText(/^Codes of authenticator apps are blocked.*ends the block/).waitFor();
    await page.goto(`/console/users/${fixture.member.id}`);
    await loaded(page, fixture.member.fullName);
    expect(await page.getByText(/codes of authenticator apps are blocked/i).count()).toBe(0);
  });

  it('a superadmin erases a user only after typing the address', async () => {
    const user = await fixture.service.createUser({ email: 'gone@example.com', fullName: 'Ada Gone' });
    const { page } = await visitConsole(browser, fixture.service, {
      user: fixture.superadmin,
      path: `/users/${user.id}`,
    });
    await chooseMore(page, 'Erase personal data');
    const dialog = question(page);
    const button = dialog.getByRole('button', { name: 'Erase personal data' });
    await dialog.getByLabel('Reason').fill('Asked for it');
    await dialog.getByLabel('Type gone@example.com to confirm').fill('someone@example.com');
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByLabel('Type gone@example.com to confirm').fill('gone@example.com');
    await button.click();
    await page.getByText('The personal data was erased.').waitFor();
    await page.getByText(/^The personal data of this user was erased/).waitFor();
    expect(await page.getByRole('button', { name: 'More actions' }).count()).toBe(0);
  });

  it('a user without a role reads why the console is closed, and is led away', async () => {
    const { page } = await visitConsole(browser, fixture.service, { user: fixture.member });
    const calls = callsOf(page);
    await shown(page, 'The console is for platform staff');
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.waitForURL(/\/login\?returnTo=%2Fconsole$/);
    expect(calls.filter((call) => call.includes('/internal/'))).toEqual([]);
  });

  describe('without a session', () => {
    it('a visitor signs in first and comes to the view of the address', async () => {
      const visitor = await browser.visit(fixture.service.publicUrl);
      const { page } = visitor;
      allowAnswer(visitor, 401);
      await page.goto('/console/users?role=PLATFORM_ADMIN');
      await page.waitForURL(/\/login\?returnTo=/);
      await new SignInForm(page).send(fixture.superadmin);
      await loaded(page, 'Users');
      await page.getByText('1 user', { exact: true }).waitFor();
    });

    it('a session that is ended elsewhere leads to the sign-in', async () => {
      const admin = await fixture.service.createUser({ role: 'PLATFORM_ADMIN' });
      const { page, visitor } = await visitConsole(browser, fixture.service, { user: admin });
      await loaded(page, 'Overview');
      await fixture.service.machine('POST', `/internal/admin/users/${admin.id}/revoke-all`);
      expectAnswer(visitor, 401);
      await page.getByRole('link', { name: 'Users', exact: true }).first().click();
      await page.waitForURL(/\/login\?returnTo=%2Fconsole%2Fusers$/);
    });
  });

  it('an old sign-in is confirmed by the password, and the action then takes place once', async () => {
    const strict = await serviceForThisTest({ env: { STAFF_STEP_UP: '15m' } });
    const boss = await strict.createUser({ role: 'PLATFORM_SUPERADMIN' });
    const user = await strict.createUser({ fullName: 'Rosa Riser' });
    const { page, visitor } = await visitConsole(browser, strict, { user: boss, path: `/users/${user.id}` });
    expectAnswer(visitor, 401);
    await chooseMore(page, 'Change role');
    await question(page).getByLabel('New role').selectOption('Moderator');
    await question(page).getByRole('button', { name: 'Change role' }).click();
    await question(page).getByLabel('Password', { exact: true }).fill(boss.password);
    await page.keyboard.press('Enter');
    await page.getByText('The role was changed.').waitFor();
    await waitUntil(
      async () =>
        (await strict.sql(`SELECT 1 FROM auth_audit_logs WHERE event = 'user_role_changed'`)).length === 1,
      { what: 'one change of the role' },
    );
  });

  it('the console speaks the language of the browser', async () => {
    const { page } = await visitConsole(browser, fixture.service, {
      user: fixture.superadmin,
      path: '?ui_locales=de',
    });
    await loaded(page, 'Übersicht');
    expect(await page.getByRole('navigation').innerText()).toContain('Einladungen');
  });
});
