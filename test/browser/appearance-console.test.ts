import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/browser/accessibility.js';
import { startConsoleService, type ConsoleService } from '../support/browser/console-data.js';
import {
  loaded,
  pathsOfNavigation,
  press,
  question,
  visitConsole,
} from '../support/browser/console-visit.js';
import { expectLargeTextFits } from '../support/browser/large-text.js';
import { photograph } from '../support/browser/photograph.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';

describeWithBrowser('appearance of the console', (browser) => {
  let fixture: ConsoleService;
  beforeAll(async () => {
    fixture = await startConsoleService();
  });
  afterAll(() => fixture.stop());

  const VIEWS: [name: string, path: (fixture: ConsoleService) => string][] = [
    ['overview', () => ''],
    ['approvals', () => '/approvals'],
    ['users', () => '/users'],
    ['user', ({ member }) => `/users/${member.id}`],
    ['sessions', () => '/sessions'],
    ['invitations', () => '/invitations'],
    ['companies', () => '/companies'],
    ['company', ({ companyId }) => `/companies/${companyId}`],
    ['access', ({ companyId, member }) => `/companies/${companyId}/${member.id}`],
    ['audit', () => '/audit'],
    ['mail', () => '/mail'],
    ['webhooks', () => '/webhooks'],
    ['health', () => '/health'],
    ['empty', () => '/users?search=no-user-has-this-name'],
  ];

  it('every view of the navigation is looked at', async () => {
    const { page } = await visitConsole(browser, fixture.service, { user: fixture.superadmin });
    await loaded(page);
    const seen = VIEWS.map(([, path]) => path(fixture).slice(1));
    expect(seen).toEqual(expect.arrayContaining(await pathsOfNavigation(page)));
  });

  it.each(VIEWS)(
    'the view %s is accessible in both schemes, on narrow screens and with large text',
    async (name, path) => {
      const { page } = await visitConsole(browser, fixture.service, {
        user: fixture.superadmin,
        path: path(fixture),
      });
      await loaded(page);
      await checkAccessibility(page);
      await photograph(page, `console-${name}`);
      await expectLargeTextFits(page);
    },
  );

  it('dialogs are accessible in both schemes, on narrow screens and with large text', async () => {
    const { page } = await visitConsole(browser, fixture.service, {
      user: fixture.superadmin,
      path: `/users/${fixture.member.id}`,
    });
    await loaded(page);
    await page.getByRole('button', { name: 'More actions' }).click();
    await checkAccessibility(page);
    await photograph(page, 'console-user-menu');
    await page.getByRole('button', { name: 'Erase personal data' }).click();
    await question(page).waitFor();
    await checkAccessibility(page);
    await photograph(page, 'console-erase');
    await expectLargeTextFits(page);
    await press(page, 'Escape', '?');
    await question(page).getByText('Keyboard shortcuts').waitFor();
    await checkAccessibility(page);
    await photograph(page, 'console-keys');
    await expectLargeTextFits(page);
  });
});
