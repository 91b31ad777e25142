import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser/accessibility.js';
import { openFresh, signIn } from '../support/browser/account-page.js';
import { loaded, visitConsole } from '../support/browser/console-visit.js';
import { shown } from '../support/browser/people.js';
import { photograph } from '../support/browser/photograph.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { IN_BERLIN, IN_BRITAIN, writePlaces } from '../support/maxmind-database.js';
import { startTestService, type TestService } from '../support/service.js';

const APPROXIMATE = 'Approximate place of the IP address, often wrong.';

describeWithBrowser('the places of sessions', (browser) => {
  let folder: string;
  let service: TestService;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-places-'));
    const path = await writePlaces(folder);
    service = await startTestService({
      env: (port) => ({
        GEOIP_DATABASE: path,
        TRUST_PROXY: '1',
        CONSOLE_ENABLED: 'true',
        AUTH_BASE_URL: `http://localhost:${port}`,
      }),
    });
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  /** A user with a session in Berlin, and one in Britain. */
  const travelled = async () => {
    const user = await service.createUser({ fullName: 'Ada Lovelace' });
    await signIn(service, user, { 'x-device-name': 'Phone', 'x-forwarded-for': IN_BERLIN });
    await signIn(service, user, { 'x-device-name': 'Tablet', 'x-forwarded-for': IN_BRITAIN });
    return user;
  };

  it('the account shows them beside the addresses in the language of the page, as approximate ones', async () => {
    const { page } = await openFresh({ browser, service, user: await travelled(), view: 'sessions' });
    await page.getByText(`${IN_BERLIN} · Berlin, Germany`).waitFor();
    await page.getByText(`${IN_BRITAIN} · United Kingdom`).waitFor();
    expect(await page.getByTitle(APPROXIMATE).count()).toBe(2);
    await checkAccessibility(page);
    await photograph(page, 'account-session-places');
    await page.goto('/account?ui_locales=de#sessions');
    await shown(page, 'Sitzungen');
    await page.getByText(`${IN_BERLIN} · Berlin, Deutschland`).waitFor();
    expect(await page.getByTitle('Ungefährer Ort der IP-Adresse, oft falsch.').count()).toBe(2);
  });

  it('the console shows them with a user and in the list of all sessions', async () => {
    const user = await travelled();
    const staff = await service.createUser({ role: 'PLATFORM_SUPERADMIN' });
    const { page } = await visitConsole(browser, service, { user: staff, path: `/users/${user.id}` });
    await loaded(page, 'Ada Lovelace');
    await page.getByText(`${IN_BERLIN} · Berlin, Germany`).waitFor();
    await photograph(page, 'console-user-session-places');
    await page.goto(`/console/sessions?search=${encodeURIComponent(user.email)}`);
    await loaded(page, 'Sessions');
    const row = page.getByRole('listitem').filter({ hasText: IN_BERLIN });
    expect(await row.getByTitle(APPROXIMATE).textContent()).toBe('Berlin, Germany');
    await checkAccessibility(page);
    await photograph(page, 'console-session-places');
  });
});
