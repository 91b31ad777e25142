import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startConsoleService, type ConsoleService } from '../support/browser/console-data.js';
import { loaded, visitConsole } from '../support/browser/console-visit.js';
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
  });
  afterAll(() => fixture.stop());

  it.each(['approvals', 'users', 'sessions', 'companies', 'invitations', 'audit', 'mail'])(
    'no text of the list of %s reaches into the next cell',
    async (view) => {
      const { service, superadmin } = fixture;
      const visit = { user: superadmin, path: `/${view}`, locale: 'de-DE' };
      const { page } = await visitConsole(browser, service, visit);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        await loaded(page);
        expect(await page.locator('main .cell').count()).toBeGreaterThan(0);
        expect(await textsOverCells(page), `${width} pixels`).toEqual([]);
      }
    },
  );
});
