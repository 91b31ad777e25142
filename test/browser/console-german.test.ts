import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startConsoleService, type ConsoleService } from '../support/browser/console-data.js';
import { loaded, pathsOfNavigation, visitConsole } from '../support/browser/console-visit.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';

/** Wide lists, those with fewer columns, and the narrowest ones with columns. */
const WIDTHS = [1440, 1180, 1030];

/** Returns the texts of a list that reach into the cell beside them. */
const textsOverCells = (page: Page): Promise<(string | null)[]> =>
  page.evaluate(() => {
    const contentOf = (cell: Element): Range => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range;
    };
    return [...document.querySelectorAll('main .cell')]
      .filter((cell) => cell.checkVisibility())
      .filter(
        (cell) => contentOf(cell).getBoundingClientRect().right > cell.getBoundingClientRect().right + 1,
      )
      .map((cell) => cell.textContent);
  });

describeWithBrowser('the lists of the console in German', (browser) => {
  let fixture: ConsoleService;
  beforeAll(async () => {
    fixture = await startConsoleService();
    const administrator = { kind: 'operator', name: 'fixture' } as const;
    await fixture.service.auth.admin.webhooks.create(
      { administrator, companyId: null },
      { url: 'http://localhost:9/a/long/path/of/an/address', events: ['*'] },
    );
  });
  afterAll(() => fixture.stop());

  /** Views of the navigation that have no list of columns. */
  const WITHOUT_COLUMNS = ['', 'health'];
  const WITH_COLUMNS = [
    'approvals',
    'users',
    'sessions',
    'companies',
    'invitations',
    'audit',
    'mail',
    'webhooks',
  ];

  it('every view of the navigation is below, or has no columns', async () => {
    const { page } = await visitConsole(browser, fixture.service, { user: fixture.superadmin });
    await loaded(page);
    expect(await pathsOfNavigation(page)).toEqual([...WITH_COLUMNS, ...WITHOUT_COLUMNS].toSorted());
  });

  it.each(WITH_COLUMNS)('no text of the list of %s reaches into the next cell', async (view) => {
    const { service, superadmin } = fixture;
    const visit = { user: superadmin, path: `/${view}`, locale: 'de-DE' };
    const { page } = await visitConsole(browser, service, visit);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await loaded(page);
      expect(await page.locator('main .cell').count()).toBeGreaterThan(0);
      expect(await textsOverCells(page), `${width} pixels`).toEqual([]);
    }
  });
});
