import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser/accessibility.js';
import { loaded, question, visitConsole } from '../support/browser/console-visit.js';
import { allowAnswer, expectAnswer, keptInTab, liveSessions, shown } from '../support/browser/people.js';
import { photograph } from '../support/browser/photograph.js';
import { PlantedPages } from '../support/browser/planted-pages.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import { ACCESS, REFRESH, STATE } from '../support/cookie-browser.js';
import { mintTokens } from '../support/minted-token.js';
import { startTestService, type TestService } from '../support/service.js';
import { insertMembership } from '../support/test-memberships.js';
import type { TestUser } from '../support/test-users.js';

const REASON = 'Ticket 4711: the invoice cannot be found';
const ON = { STAFF_ACTING: 'on', TRUST_PROXY: '127.0.0.1' };

/** Fills in the question of the console, and returns the tab that its link opens. */
async function openTab(page: Page, choose: (page: Page) => Promise<unknown> = () => Promise.resolve()) {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: 'Sign in as this user' }).click();
  await question(page).getByLabel('Reason').fill(REASON);
  await choose(page);
  await question(page).getByRole('button', { name: 'Continue' }).click();
  const link = question(page).getByRole('link');
  const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  return tab;
}

const banner = (page: Page) => page.getByRole('region', { name: 'Acting for a user' });

describeWithBrowser('a member of staff who signs in as a user', (browser) => {
  let service: TestService;
  let webApp: PlantedPages;
  let staff: TestUser;
  beforeAll(async () => {
    webApp = await PlantedPages.serve({ '/': { body: '<h1>The web app</h1>' } });
    service = await startTestService({ env: { ...ON, WEB_APP_URL: webApp.url } });
    staff = await service.createUser({ role: 'PLATFORM_ADMIN', fullName: 'Ada Admin' });
  });
  afterAll(async () => {
    await service.stop();
    await webApp.stop();
  });

  const arrive = async (user: TestUser) => {
    const visit = await visitConsole(browser, service, {
      user: staff,
      path: `/users/${user.id}`,
      origins: [webApp.url],
    });
    await loaded(visit.page);
    return visit;
  };

  it('acts in a tab of its own, whose banner says who, why and until when, and ends it', async () => {
    const user = await service.createUser({ fullName: 'Ben Example' });
    const { page } = await arrive(user);
    const tab = await openTab(page, async () => {
      await checkAccessibility(page);
      await photograph(page, 'console-act-for');
    });
    await banner(tab).getByText('Ada Admin acts for Ben Example').waitFor();
    await banner(tab).getByText(`Reason: ${REASON}`).waitFor();
    await banner(tab)
      .getByText(/^Ends in 59:\d\d$/)
      .waitFor();
    await shown(tab, 'Profile');
    expect(new URL(tab.url()).hash).toBe('');
    // Nothing of the session of the console is in the new tab, and the other way round.
    expect(await keptInTab(tab)).toEqual(['latchkey.acting']);
    expect(await keptInTab(page)).toEqual(['latchkey.session']);
    await checkAccessibility(tab);
    await photograph(tab, 'acting-account');
    await tab.reload();
    await banner(tab).waitFor();
    await tab.goto('/company');
    await banner(tab).waitFor();
    await checkAccessibility(tab);
    const closed = tab.waitForEvent('close');
    await banner(tab).getByRole('button', { name: 'Stop acting' }).click();
    await closed;
    expect(await liveSessions(service, user.email)).toBe(0);
    await page.reload();
    await loaded(page, 'Ben Example');
  });

  it('finds in the tab that the session has ended elsewhere, and is led to no sign-in', async () => {
    const user = await service.createUser({ fullName: 'Cora Example' });
    const { page, visitor } = await arrive(user);
    const tab = await openTab(page);
    await banner(tab).waitFor();
    allowAnswer(visitor, 401);
    await service.machine('POST', `/internal/admin/users/${user.id}/revoke-all`);
    await tab.getByRole('link', { name: 'Sessions' }).click();
    await shown(tab, 'You no longer act for this user');
    expect(await keptInTab(tab)).toEqual([]);
    await checkAccessibility(tab);
    await photograph(tab, 'acting-ended');
  });

  it('reads the banner in German, too, and why a change that only the user may make is refused', async () => {
    const user = await service.createUser({ fullName: 'Dora Beispiel' });
    const visit = await visitConsole(browser, service, {
      user: staff,
      path: `/users/${user.id}`,
      locale: 'de-DE',
    });
    const { page, visitor } = visit;
    await page.getByRole('button', { name: 'Weitere Aktionen' }).click();
    await page.getByRole('button', { name: 'Als dieser Benutzer anmelden' }).click();
    await question(page).getByLabel('Grund').fill(REASON);
    await question(page).getByRole('button', { name: 'Weiter' }).click();
    const link = question(page).getByRole('link', { name: 'Kontoseite öffnen' });
    const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await tab.getByText('Ada Admin handelt für Dora Beispiel').waitFor();
    await photograph(tab, 'acting-account-de');
    expectAnswer(visitor, 403);
    await tab.getByRole('button', { name: 'E-Mail-Adresse ändern' }).click();
    const dialog = tab.getByRole('dialog');
    await dialog.getByRole('textbox').first().fill('another@example.com');
    await dialog.getByRole('button', { name: /senden/ }).click();
    await tab.getByText('Sie handeln für diesen Benutzer, daher ist dies nicht möglich.').waitFor();
  });

  it('opens the app with a hand-off code in the fragment, for a company of the user', async () => {
    const user = await service.createUser({ fullName: 'Eve Example' });
    const companyId = randomUUID();
    await insertMembership(service.sql, { userId: user.id, companyId });
    const { page } = await arrive(user);
    const tab = await openTab(page, () => question(page).getByLabel('Open').selectOption(companyId));
    await tab.waitForURL(/#handoff=lka_/);
    const { origin, hash } = new URL(tab.url());
    expect(origin).toBe(webApp.url);
    const code = new URLSearchParams(hash.slice(1)).get('handoff');
    const answer = await service.api('POST', '/auth/handoff/exchange', { body: { code } });
    expect(answer).toMatchObject({ status: 200, data: { organizationId: companyId } });
    await tab.close();
  });

  it('is offered it for users of lower roles only', async () => {
    for (const role of ['PLATFORM_ADMIN', 'PLATFORM_SUPERADMIN'] as const) {
      const { page } = await arrive(await service.createUser({ role }));
      expect(await page.getByText('Sign in as this user').count()).toBe(0);
    }
  });

  it('learns that a code was used or has expired', async () => {
    const { page, visitor } = await arrive(await service.createUser());
    expectAnswer(visitor, 401);
    await page.goto(`/account#acting=lka_${'a'.repeat(43)}`);
    await shown(page, 'The session could not be opened');
    await page.getByText('The code is used or has expired.').waitFor();
    await checkAccessibility(page);
    await page.getByRole('link', { name: 'Go to the console' }).click();
    await shown(page, 'Overview');
  });
});

describeWithBrowser('a member of staff who signs in as a user in cookie mode', (browser) => {
  let service: TestService;
  beforeAll(async () => {
    const env = { ...ON, AUTH_WEB_COOKIE_MODE: 'true', WEB_APP_URL: 'http://localhost:9' };
    service = await startTestService({ env });
  });
  afterAll(() => service.stop());

  it('keeps the own session in the cookies, and acts with tokens of the tab alone', async () => {
    const staff = await service.createUser({ role: 'PLATFORM_ADMIN', fullName: 'Ada Admin' });
    const user = await service.createUser({ fullName: 'Ben Example' });
    await insertMembership(service.sql, { userId: user.id, companyId: randomUUID() });
    const visitor = await browser.visit(service.publicUrl);
    const { page, context } = visitor;
    // Nothing says what the company may use.
    allowAnswer(visitor, 503);
    const { token, refreshToken } = await mintTokens(service, staff.id);
    // Secure cookies are taken for addresses of HTTPS only; a cookie itself has no scheme.
    const url = service.publicUrl.replace('http:', 'https:');
    const kept = { url, secure: true, sameSite: 'Lax' } as const;
    await context.addCookies([
      { ...kept, name: ACCESS, value: token, httpOnly: true },
      { ...kept, name: REFRESH, value: refreshToken, httpOnly: true },
      { ...kept, name: STATE, value: '1', httpOnly: false },
    ]);
    await page.goto(`/console/users/${user.id}`);
    await loaded(page, 'Ben Example');
    const tab = await openTab(page, async () => {
      // The cookies of an app would replace those of the console.
      expect(await question(page).getByLabel('Open').count()).toBe(0);
    });
    const sent: string[] = [];
    tab.on('request', (request) => {
      if (request.resourceType() !== 'fetch') return;
      const { cookie, 'x-auth-mode': mode, authorization } = request.headers();
      sent.push([cookie ?? 'no cookie', mode ?? 'no mode', authorization?.split(' ')[0]].join(', '));
    });
    await banner(tab).getByText('Ada Admin acts for Ben Example').waitFor();
    expect(await keptInTab(tab)).toEqual(['latchkey.acting']);
    await tab.reload();
    await banner(tab).waitFor();
    await tab.getByRole('link', { name: 'Sessions' }).click();
    await shown(tab, 'Sessions');
    await tab.getByText('Ada Admin').first().waitFor();
    // The exchange of the code needs no token.
    expect(new Set(sent)).toEqual(new Set(['no cookie, no mode, ', 'no cookie, no mode, Bearer']));
    await banner(tab).getByRole('button', { name: 'Stop acting' }).click();
    await expect.poll(() => liveSessions(service, user.email)).toBe(0);
    await page.reload();
    await loaded(page, 'Ben Example');
    expect((await context.cookies()).map(({ name }) => name).sort()).toEqual(
      expect.arrayContaining([ACCESS, REFRESH, STATE].sort()),
    );
    expect(await liveSessions(service, staff.email)).toBe(1);
  });
});
