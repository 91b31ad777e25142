import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser/accessibility.js';
import { startConsoleService, type ConsoleService } from '../support/browser/console-data.js';
import { loaded, press, question, visitConsole } from '../support/browser/console-visit.js';
import { allowAnswer, shown } from '../support/browser/people.js';
import { photograph } from '../support/browser/photograph.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';

const input = (page: Page) => question(page).getByRole('combobox');
const options = (page: Page) => question(page).getByRole('option');
const active = (page: Page) => question(page).getByRole('option', { selected: true });

/** Reads the active option as assistive technology finds it: by the reference of the input. */
const announced = (page: Page): Promise<string | undefined> =>
  input(page).evaluate((element) => {
    const id = element.getAttribute('aria-activedescendant') ?? '';
    return document.getElementById(id)?.querySelector('.palette-name')?.textContent;
  });

describeWithBrowser('the palette of the console', (browser) => {
  let fixture: ConsoleService;
  beforeAll(async () => {
    fixture = await startConsoleService();
  });
  afterAll(() => fixture.stop());

  const arrive = async (user = fixture.superadmin, options = {}) => {
    const visit = await visitConsole(browser, fixture.service, { user, ...options });
    await loaded(visit.page);
    return visit;
  };

  it('opens by Ctrl K and goes to a view by keyboard alone', async () => {
    const { page } = await arrive(fixture.superadmin, { height: 1200 });
    await press(page, 'Control+k');
    await input(page).waitFor();
    expect(await announced(page)).toBe('Overview');
    await press(page, 'ArrowDown', 'ArrowDown');
    expect(await announced(page)).toBe('Users');
    await press(page, 'ArrowUp', 'ArrowUp', 'ArrowUp');
    expect(await announced(page)).toBe('Sign out');
    await checkAccessibility(page);
    await photograph(page, 'console-palette');
    await page.keyboard.type('health');
    expect(await announced(page)).toBe('Health');
    await press(page, 'Enter');
    await shown(page, 'Health');
    expect(await question(page).count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  });

  it('finds users by the start of an email and companies by name, and opens them', async () => {
    const { page } = await arrive();
    await press(page, 'Control+k');
    await page.keyboard.type('ines.ok');
    await options(page).filter({ hasText: 'Ines Okafor' }).waitFor();
    await checkAccessibility(page);
    await photograph(page, 'console-palette-users');
    await press(page, 'Enter');
    await shown(page, 'Ines Okafor');
    await press(page, 'Control+k');
    await page.keyboard.type('okafor');
    await options(page).filter({ hasText: 'ines.okafor@contoso.example' }).click();
    await shown(page, 'Ines Okafor');
  });

  it('goes to the user or the session of a pasted id', async () => {
    const { page, visitor } = await arrive();
    const { member, service } = fixture;
    await press(page, 'Control+k');
    await input(page).fill(` ${member.id.toUpperCase()} `);
    await options(page).filter({ hasText: member.fullName }).waitFor();
    await press(page, 'Enter');
    await shown(page, member.fullName);
    const [session] = await service.sql(
      'SELECT id FROM sessions WHERE user_id = $1 AND NOT is_revoked AND expires_at > now() LIMIT 1',
      [member.id],
    );
    // It is no user.
    allowAnswer(visitor, 404);
    await press(page, 'Control+k');
    await input(page).fill(String(session?.id));
    await options(page)
      .filter({ hasText: `Session of ${member.email}` })
      .waitFor();
    await press(page, 'Enter');
    await shown(page, 'Sessions');
    await page.getByText('1 session', { exact: true }).waitFor();
    expect(await page.getByLabel('Session ID').inputValue()).toBe(session?.id);
  });

  it('asks the service once typing pauses, and drops what it asked for before', async () => {
    const { page } = await arrive();
    const searches: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/internal/users') searches.push(searchParams.get('search') ?? '');
    });
    await press(page, 'Control+k');
    await page.keyboard.type('kwame', { delay: 10 });
    await options(page).filter({ hasText: 'Kwame Mensah' }).waitFor();
    expect(searches).toEqual(['kwame']);
    await input(page).fill('nobody-has-this-name');
    await question(page).getByText('Nothing found').waitFor();
    await press(page, 'Enter');
    expect(await question(page).count()).toBe(1);
  });

  it('shows what the role may see, and takes the actions that it may take', async () => {
    const { page } = await arrive(fixture.moderator);
    await press(page, 'Control+k');
    await input(page).waitFor();
    const names = await options(page).locator('.palette-name').allTextContents();
    expect(names).toEqual([
      ...['Overview', 'Approvals', 'Users', 'Sessions', 'Companies'],
      ...['Shortcuts', 'Account', 'Sign out'],
    ]);
    await press(page, 'Escape');
    expect(await question(page).count()).toBe(0);
    const staff = await arrive();
    await press(staff.page, 'Control+k');
    await staff.page.keyboard.type('add');
    await press(staff.page, 'Enter');
    await staff.page.getByRole('dialog', { name: 'Add a user' }).waitFor();
  });

  it('works while the user types, is in the list of keys, and is off with the other keys', async () => {
    const { page } = await arrive(fixture.superadmin, { path: '/users' });
    await press(page, '/', 'Control+k');
    await input(page).waitFor();
    await press(page, 'Escape', 'Escape', '?');
    await question(page).getByText('Find anything').waitFor();
    await question(page)
      .getByLabel(/^Use single-key shortcuts/)
      .uncheck();
    await press(page, 'Escape', 'Control+k');
    expect(await question(page).count()).toBe(0);
    // Its button stays.
    await page.getByRole('button', { name: 'Go to' }).click();
    await input(page).waitFor();
    expect(await active(page).count()).toBe(1);
  });

  it('is in German, too', async () => {
    const { page } = await arrive(fixture.superadmin, { locale: 'de-DE' });
    await press(page, 'Control+k');
    await page.keyboard.type('unternehmen');
    expect(await announced(page)).toBe('Unternehmen');
    await photograph(page, 'console-palette-de');
    await press(page, 'Enter');
    await shown(page, 'Unternehmen');
  });
});
