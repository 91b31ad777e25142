import { afterAll, beforeAll, expect, it } from 'vitest';
import { startConsoleService, type ConsoleService } from '../support/browser/console-data.js';
import {
  confirm,
  loaded,
  press,
  question,
  tabToNamed,
  visitConsole,
} from '../support/browser/console-visit.js';
import { callsOf, focused, liveSessions } from '../support/browser/people.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';

describeWithBrowser('the console by keyboard alone', (browser) => {
  let fixture: ConsoleService;
  beforeAll(async () => {
    fixture = await startConsoleService();
  });
  afterAll(() => fixture.stop());

  const open = async (path = '') => {
    const visit = await visitConsole(browser, fixture.service, { user: fixture.superadmin, path });
    await loaded(visit.page);
    return visit;
  };
  const statusOf = async (id: string): Promise<unknown> => {
    const [row] = await fixture.service.sql('SELECT approval_status, is_active FROM users WHERE id = $1', [
      id,
    ]);
    return row;
  };

  it('a registration is approved with two keys and a confirmation that names it, another one is rejected', async () => {
    const { page } = await open();
    const [first, second, third] = fixture.waiting.toReversed();
    await press(page, 'g', 'a');
    await loaded(page, 'Approvals');
    await expect.poll(() => focused(page)).toBe('H1 Approvals');
    await press(page, 'j');
    await expect.poll(() => focused(page)).toContain(first!.fullName);
    await press(page, 'a');
    expect(await question(page).innerText()).toContain(`Approve ${first!.fullName}?`);
    await press(page, 'Escape');
    await question(page).waitFor({ state: 'detached' });
    expect(await statusOf(first!.id)).toEqual({ approval_status: 'PENDING', is_active: false });
    await press(page, 'j', 'a');
    await confirm(page, `${second!.fullName} was approved.`);
    expect(await statusOf(second!.id)).toEqual({ approval_status: 'APPROVED', is_active: true });
    await page.getByText(second!.email).waitFor({ state: 'detached' });
    await press(page, 'j', 'r');
    await confirm(page, / was rejected\.$/);
    const rejected = [await statusOf(first!.id), await statusOf(third!.id)];
    expect(rejected).toContainEqual({ approval_status: 'REJECTED', is_active: false });
    // The count is asked for anew after the rejection.
    await expect.poll(() => page.getByRole('link', { name: /^Approvals/ }).innerText()).toContain('1');
  });

  it('a user is found by a search from any view, opened, and left again', async () => {
    const { page } = await open('/health');
    await press(page, '/');
    await page.waitForFunction(() => document.activeElement?.matches('input[type=search]'));
    await page.keyboard.type('ines.ok');
    await page.getByText('1 user', { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?search=ines.ok');
    await press(page, 'ArrowDown', 'Enter');
    await loaded(page, fixture.member.fullName);
    await page.reload();
    await loaded(page, fixture.member.fullName);
    await page.goBack();
    await loaded(page, 'Users');
    expect(await page.locator('input[type=search]').inputValue()).toBe('ines.ok');
  });

  it('the pages of a list are turned by keys, with one request for each and the page in the address', async () => {
    await fixture.service.sql(
      `INSERT INTO users (id, email, approval_status, is_active)
       SELECT gen_random_uuid(), 'page-' || place || '@example.com', 'APPROVED', true FROM generate_series(1, 60) AS place`,
    );
    const { page } = await open('/users?search=page-');
    const calls = callsOf(page);
    const requests = () => calls.filter((call) => call === 'GET /internal/users').length;
    // The range is shown at once, and the request is sent with the next frame.
    const shows = async (range: string, count: number) => {
      await page.getByText(range).waitFor();
      await expect.poll(requests).toBe(count);
      await loaded(page);
    };
    await shows('1–25 of 60', 0);
    await press(page, 'n');
    await shows('26–50 of 60', 1);
    await press(page, 'n');
    await shows('51–60 of 60', 2);
    await press(page, 'n', 'p');
    await shows('26–50 of 60', 3);
    expect(new URL(page.url()).search).toBe('?search=page-&page=2');
  });

  it('the sessions of a user are ended from the page of the user, and the timeline says why', async () => {
    const { page } = await open(`/users/${fixture.member.id}`);
    expect(await liveSessions(fixture.service, fixture.member.email)).toBe(2);
    await tabToNamed(page, 'End all sessions');
    await press(page, 'Enter');
    await confirm(page, '2 sessions were ended.');
    expect(await liveSessions(fixture.service, fixture.member.email)).toBe(0);
    await page.getByText('Not signed in anywhere').waitFor();
    const newest = page.locator('.timeline-entry').first();
    await newest.getByText('Sessions ended', { exact: true }).waitFor();
    expect(await newest.innerText()).toMatch(/all sessions ended by hand.*You/s);
    await press(page, 'Escape');
    await loaded(page, 'Users');
  });

  it('the audit log shows new entries while it is visible, and asks for none in the background', async () => {
    const { page } = await open('/audit');
    const calls = callsOf(page);
    await tabToNamed(page, 'Live');
    await press(page, 'Enter');
    await page.getByText('New entries appear automatically.').waitFor();
    const { email } = fixture.member;
    await fixture.service.api('POST', '/auth/login', { body: { email, password: 'a wrong password' } });
    const newest = page.locator('.records.audit li').first();
    await newest.getByText('Failed').waitFor();
    expect(await newest.innerText()).toContain('Sign-in');
    await page.evaluate(() => Object.defineProperty(document, 'visibilityState', { value: 'hidden' }));
    await page.clock.install();
    await page.clock.runFor(10_000);
    const before = calls.length;
    await page.clock.runFor(60_000);
    expect(calls.slice(before)).toEqual([]);
  });

  it('the list of keys opens with a question mark, and turns single keys off', async () => {
    const { page } = await open();
    await press(page, '?');
    expect(await question(page).innerText()).toContain('Keyboard shortcuts');
    await page.getByRole('checkbox').press('Space');
    await press(page, 'Escape', 'g', 'u', '?');
    expect(await page.locator('main h1').innerText()).toBe('Overview');
    expect(await question(page).count()).toBe(0);
  });
});
