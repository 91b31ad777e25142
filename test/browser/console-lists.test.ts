import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser/accessibility.js';
import { startConsoleService, type ConsoleService } from '../support/browser/console-data.js';
import { loaded, press, question, visitConsole } from '../support/browser/console-visit.js';
import { allowAnswer } from '../support/browser/people.js';
import { photograph } from '../support/browser/photograph.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { serviceForThisTest, type TestService } from '../support/service.js';

/** Adds a registration that waits. @returns the id of the user. */
async function applicant(service: TestService, fullName: string): Promise<string> {
  const { id } = await service.createUser({ fullName });
  await service.sql(`UPDATE users SET approval_status = 'PENDING', is_active = false WHERE id = $1`, [id]);
  return id;
}

const namesIn = (page: Page): Promise<string[]> => page.locator('main [data-main]').allInnerTexts();

describeWithBrowser('the lists of the console', (browser) => {
  let fixture: ConsoleService;
  beforeAll(async () => {
    fixture = await startConsoleService();
  });
  afterAll(() => fixture.stop());

  const visit = (path: string) => visitConsole(browser, fixture.service, { user: fixture.superadmin, path });

  const waitingUsers = (count: number, prefix: string): Promise<string[]> =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => {
        return applicant(fixture.service, `${prefix} ${index}`);
      }),
    );

  const statusOf = async (ids: readonly string[]): Promise<unknown[]> => {
    const rows = await fixture.service.sql(
      'SELECT approval_status AS status FROM users WHERE id = ANY ($1::uuid[]) ORDER BY status',
      [ids],
    );
    return rows.map((row) => (row as { status: string }).status);
  };

  it('users are sorted by the headings of columns, which say how, and the address keeps it', async () => {
    const { page } = await visit('/users');
    await loaded(page, 'Users');
    const heading = page.getByRole('columnheader', { name: 'User' });
    expect(await page.getByRole('columnheader', { name: 'Created' }).getAttribute('aria-sort')).toBe(
      'descending',
    );
    expect(await heading.getAttribute('aria-sort')).toBe('none');
    await heading.getByRole('button').press('Enter');
    await page.waitForURL(/sort=fullName$/);
    await loaded(page);
    expect(await heading.getAttribute('aria-sort')).toBe('ascending');
    const up = (await namesIn(page)).filter((name) => !name.includes('@'));
    expect(up).toEqual(up.toSorted((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1)));
    await checkAccessibility(page);
    await photograph(page, 'console-users-sorted');
    await heading.getByRole('button').press('Enter');
    await page.waitForURL(/sort=-fullName$/);
    expect(await heading.getAttribute('aria-sort')).toBe('descending');
    await page.getByLabel('Sort by').selectOption('Oldest first');
    await page.waitForURL(/sort=createdAt$/);
    await page.getByLabel('Sort by').selectOption('Newest first');
    await page.waitForURL(/\/users$/);
  });

  it('selected registrations are approved one by one, by keyboard alone, each with its entry', async () => {
    const ids = await waitingUsers(3, 'Keyboard Applicant');
    const { page } = await visit('/approvals');
    await loaded(page, 'Approvals');
    await press(page, 'j', 'x', 'j', 'x', 'j', 'x');
    await page.getByText('3 selected').waitFor();
    await checkAccessibility(page);
    await photograph(page, 'console-approvals-selected');
    await page.locator('.bulk').getByRole('button', { name: 'Approve' }).press('Enter');
    await question(page).getByText('Approve 3 registrations?').waitFor();
    await checkAccessibility(page);
    await page.keyboard.press('Enter');
    await page.getByText('3 users were approved.').waitFor();
    expect(await statusOf(ids)).toEqual(['APPROVED', 'APPROVED', 'APPROVED']);
    const entries = await fixture.service.sql(
      `SELECT id FROM auth_audit_logs WHERE event = 'user_approved' AND subject_user_id = ANY ($1::uuid[])`,
      [ids],
    );
    expect(entries).toHaveLength(3);
    expect(await page.locator('.bulk').innerText()).toBe('');
  });

  it('what could not be rejected is named with the reason, the others are, and the rest can be tried again', async () => {
    const ids = await waitingUsers(2, 'Rejected Applicant');
    const { page, visitor } = await visit('/approvals');
    await loaded(page, 'Approvals');
    for (const index of [0, 1])
      await page.getByRole('checkbox', { name: `Select Rejected Applicant ${index}` }).check();
    // Erased by another member of staff while the page was open.
    const { service } = fixture;
    const body = { reason: 'asked for it' };
    await service.machine('DELETE', `/internal/admin/users/${ids[0]}/personal-data`, { body });
    allowAnswer(visitor, 409);
    await page.locator('.bulk').getByRole('button', { name: 'Reject' }).click();
    await question(page).getByLabel('Reason (optional)').fill('ticket 4711');
    await question(page).getByRole('button', { name: 'Reject' }).click();
    await question(page).getByText('1 of 2 could not be done:').waitFor();
    await question(page)
      .getByText(/^Rejected Applicant 0: The personal data of this user was erased/)
      .waitFor();
    await checkAccessibility(page);
    await photograph(page, 'console-bulk-failed');
    expect(await statusOf(ids.slice(1))).toEqual(['REJECTED']);
    await question(page).getByRole('button', { name: 'Reject' }).click();
    await question(page).getByText('1 of 1 could not be done:').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Rejected Applicant 1').waitFor({ state: 'detached' });
    const [entry] = await service.sql(
      `SELECT details ->> 'statedReason' AS reason FROM auth_audit_logs
       WHERE details ->> 'statedReason' IS NOT NULL AND subject_user_id = $1`,
      [ids[1]],
    );
    expect(entry).toEqual({ reason: 'ticket 4711' });
  });

  it('sessions are found by user and by network, and ended together without the own one', async () => {
    const { page } = await visit('/sessions?search=ines.okafor');
    await loaded(page, 'Sessions');
    const users = new Set(await page.locator('main .who-text').allInnerTexts());
    expect([...users]).toEqual([expect.stringContaining('ines.okafor@contoso.example')]);
    await page.getByLabel('IP address or network').fill('2a02:8109::/32');
    await page.waitForURL(/address=/);
    await loaded(page);
    await page.getByText('2a02:8109:b5c0::4e1').first().waitFor();
    await photograph(page, 'console-sessions-found');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await loaded(page);
    const own = page.locator('.record', { hasText: 'this session' }).getByRole('checkbox');
    expect(await own.isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByText(/^\d+ selected$/).waitFor();
    await checkAccessibility(page);
    await photograph(page, 'console-sessions-selected');
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await page.goto('/console/sessions?search=ines.okafor');
    await loaded(page, 'Sessions');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'End sessions' }).click();
    await page.keyboard.press('Enter');
    await page.getByText(/sessions? (?:was|were) ended\.$/).waitFor();
    await page.getByText('No session matches').waitFor();
  });

  it('a moderator selects registrations, and no sessions', async () => {
    await waitingUsers(1, 'Moderated Applicant');
    const { page } = await visitConsole(browser, fixture.service, {
      user: fixture.moderator,
      path: '/approvals',
    });
    await loaded(page, 'Approvals');
    expect(await page.getByRole('checkbox', { name: 'Select Moderated Applicant 0' }).isEnabled()).toBe(true);
    await page.goto('/console/sessions');
    await loaded(page, 'Sessions');
    expect(await page.getByRole('checkbox').count()).toBe(0);
  });

  it('the audit log is found by IP address', async () => {
    const { page } = await visit('/audit?address=198.51.100.77');
    await page.getByText('No entry matches').waitFor();
    await page.getByLabel('IP address or network').fill('198.51');
    expect(await page.getByLabel('IP address or network').getAttribute('aria-invalid')).toBe('true');
    await checkAccessibility(page);
  });
});

describeWithBrowser('an action on several records', (browser) => {
  it('asks for a proof of identity once, stops if it is not given, and can then be taken', async () => {
    const strict = await serviceForThisTest({ env: { STAFF_STEP_UP: '15m' } });
    const boss = await strict.createUser({ role: 'PLATFORM_SUPERADMIN' });
    const ids = [await applicant(strict, 'First Applicant'), await applicant(strict, 'Second Applicant')];
    const { page, visitor } = await visitConsole(browser, strict, { user: boss, path: '/approvals' });
    allowAnswer(visitor, 401);
    await loaded(page, 'Approvals');
    // Approved by another member of staff meanwhile: the rejection now withdraws an approval, which needs a recent sign-in.
    for (const id of ids) {
      const body = { approvalStatus: 'APPROVED', isActive: true };
      await strict.machine('PATCH', `/internal/admin/users/${id}`, { body });
    }
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.locator('.bulk').getByRole('button', { name: 'Reject' }).click();
    await question(page).getByRole('button', { name: 'Reject' }).click();
    await question(page).getByLabel('Password', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await question(page).getByText('Stopped, because the confirmation was cancelled.').waitFor();
    expect(await rejectedIn(strict)).toBe(0);
    await question(page).getByRole('button', { name: 'Reject' }).click();
    await question(page).getByLabel('Password', { exact: true }).fill(boss.password);
    await page.keyboard.press('Enter');
    await page.getByText('2 users were rejected.').waitFor();
    expect(await rejectedIn(strict)).toBe(2);
  });
});

const rejectedIn = async (service: TestService): Promise<number> =>
  (await service.sql(`SELECT id FROM users WHERE approval_status = 'REJECTED'`)).length;
