import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser/accessibility.js';
import { startConsoleService, type ConsoleService } from '../support/browser/console-data.js';
import { loaded, visitConsole } from '../support/browser/console-visit.js';
import { expectLargeTextFits } from '../support/browser/large-text.js';
import { callsOf } from '../support/browser/people.js';
import { photograph } from '../support/browser/photograph.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { waitUntil } from '../support/wait-until.js';

describeWithBrowser('the numbers on the overview', (browser) => {
  let fixture: ConsoleService;
  beforeAll(async () => {
    fixture = await startConsoleService();
    const { service } = fixture;
    await service.sql(`INSERT INTO daily_activity
      SELECT (now() AT TIME ZONE 'UTC')::date - back, 100 + back % 7 * 13, 4 + back % 3, back % 5, 80 + back % 7 * 9
      FROM generate_series(1, 89) AS back
      ON CONFLICT (day) DO UPDATE SET sign_ins = excluded.sign_ins, failed_sign_ins = excluded.failed_sign_ins`);
    await service.sql(
      `INSERT INTO auth_audit_logs (id, event, outcome, actor, ip_address)
       SELECT gen_random_uuid(), 'login', 'failure', 'anonymous', '203.0.113.11' FROM generate_series(1, 24)`,
    );
    const failures = async () => (await service.auth.admin.activity.read()).days.at(-1)?.failedSignIns ?? 0;
    await waitUntil(async () => (await failures()) >= 24, { what: 'the count of the failures' });
  });
  afterAll(() => fixture.stop());

  const visit = (path = '') => visitConsole(browser, fixture.service, { user: fixture.superadmin, path });

  it('charts say their numbers to a screen reader, and the toggle shows 90 days, also after a reload', async () => {
    const { page } = await visit();
    await loaded(page, 'Overview');
    const chart = (name: RegExp) => page.getByRole('img', { name });
    await chart(/^Sign-ins by day, 14 days: [\d,]+\. Most: 178 on /).waitFor();
    await chart(/^Failed sign-ins by day, 14 days: /).waitFor();
    expect(await page.locator('.chart').first().locator('.chart-bar').count()).toBe(14);

    const many = page.getByRole('button', { name: '90 days' });
    await many.focus();
    await page.keyboard.press('Enter');
    await chart(/^Sign-ins by day, 90 days: /).waitFor();
    await page.reload();
    await chart(/^Sign-ins by day, 90 days: /).waitFor();
    expect(await many.getAttribute('aria-pressed')).toBe('true');
    expect(await page.locator('.chart').first().locator('.chart-bar').count()).toBe(90);
  });

  it('the numbers are a table, too, which opens by keyboard', async () => {
    const { page } = await visit();
    await loaded(page, 'Overview');
    await page.getByText('Numbers as a table').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Activity' }).waitFor();
    const rows = page.getByRole('region', { name: 'Activity' }).getByRole('row');
    expect(await rows.count()).toBe(15);
    expect(await rows.first().innerText()).toMatch(/Day \(UTC\)\s+Sign-ins\s+Failed sign-ins/);
    await checkAccessibility(page);
    await photograph(page, 'console-overview-table');
  });

  it('an attack is one line among the sign-ins, one of the failing addresses, and a warning', async () => {
    const { page } = await visit();
    await loaded(page, 'Overview');
    const panel = (name: string) =>
      page.locator('.box', { has: page.getByRole('heading', { name, exact: true }) });
    await panel('Failing IP addresses').getByText('24 failures from 203.0.113.11').waitFor();
    const lines = await panel('Recent sign-ins').getByRole('listitem').allInnerTexts();
    expect(lines.filter((line) => line.includes('24 failures from 203.0.113.11'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('Anonymous'))).toEqual([]);
    const warning = page.getByRole('status').filter({ hasText: 'Unusually many failed sign-ins today: ' });
    await warning.getByRole('link').click();
    await loaded(page, 'Audit log');
    expect(page.url()).toContain('event=login&outcome=failure');
  });

  it('the view is accessible in both schemes, on narrow screens and with large text, in 90 days and in German', async () => {
    const { page } = await visit('?days=90');
    await loaded(page, 'Overview');
    await checkAccessibility(page);
    await photograph(page, 'console-overview-90');
    await expectLargeTextFits(page);
    await page.setViewportSize({ width: 360, height: 740 });
    const figures = page.locator('.figures > li');
    const [first, second] = [await figures.nth(0).boundingBox(), await figures.nth(1).boundingBox()];
    expect(second?.y).toBe(first?.y);
    await page.goto('/console?ui_locales=de');
    await loaded(page, 'Übersicht');
    await photograph(page, 'console-overview-de');
  });

  it('a moderator sees no numbers of the audit log, and the page asks for none', async () => {
    const { page } = await visitConsole(browser, fixture.service, {
      user: fixture.moderator,
      path: '/users',
    });
    await loaded(page, 'Users');
    const calls = callsOf(page);
    await page.goto('/console');
    await loaded(page, 'Overview');
    await page.getByText('Signed-in users').waitFor();
    expect(await page.locator('.chart').count()).toBe(0);
    expect(calls.filter((call) => call.includes('activity'))).toEqual([]);
  });
});
