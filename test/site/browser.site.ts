import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inEachColorScheme } from '../support/browser/color-schemes.js';
import { expectNoSidewaysScrolling } from '../support/browser/layout.js';
import { describeWithBrowser } from '../support/browser/test-browser.js';
import type { Visitor } from '../support/browser/visitor.js';
import { SiteServer } from './site-server.js';

const SCREENSHOTS = fileURLToPath(new URL('../../site/generated/screenshots', import.meta.url));

const WIDTHS = [390, 1280];
/** The pages are static: what is not there by then does not come. */
const TIMEOUT_MS = 20_000;

/** Pages of each kind, and an element that is there when the page is complete. */
const PAGES: readonly (readonly [name: string, path: string, complete: string])[] = [
  ['home', '/', '.VPFeature'],
  ['diagrams', '/sessions.html', '.diagram svg'],
  ['pictures', '/console.html', '.vp-doc img:visible'],
  ['table', '/configuration.html', '.vp-doc table'],
  ['decision', '/decisions/0002-derived-refresh-tokens.html', '.vp-doc h1'],
  ['http', '/http/sign-in.html', '.vp-doc h2'],
  ['api', '/api/index.html#/Second%20factor/listFactors', '.opblock'],
  ['typescript', '/typescript/@latchkey/verifier.html', '.vp-doc h1'],
];

describeWithBrowser('the site in a browser', (browser) => {
  let server: SiteServer;
  beforeAll(async () => {
    server = await SiteServer.start();
  });
  afterAll(() => server.stop());

  const visit = async (): Promise<Visitor> => {
    const visitor = await browser.visit(server.url);
    visitor.page.setDefaultTimeout(TIMEOUT_MS);
    return visitor;
  };

  it.each(PAGES)('a page with %s works in both schemes and widths', async (name, path, complete) => {
    const { page } = await visit();
    await page.goto(path);
    await page.locator(complete).first().waitFor();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await inEachColorScheme(page, async (scheme) => {
        await page.waitForFunction(
          (isDark) =>
            ['dark', 'dark-mode'].some((name) => document.documentElement.classList.contains(name)) ===
            isDark,
          scheme === 'dark',
        );
        await page.locator(complete).first().waitFor();
        await expectNoSidewaysScrolling(page);
        await photograph(page, `${name}.${scheme}.${width}`);
      });
    }
  });

  it('no table is wider than its page, on a phone and on a wide screen', async () => {
    const { page } = await visit();
    for (const path of ['/http-api.html', '/configuration.html', '/http/index.html']) {
      await page.goto(path);
      await page.locator('.vp-doc table').first().waitFor();
      for (const width of [360, 1280, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        const cut = await page
          .locator('.vp-doc table')
          .evaluateAll(
            (tables) =>
              tables.filter(
                (table) =>
                  table.scrollWidth > table.clientWidth + 1 ||
                  table.getBoundingClientRect().right > window.innerWidth,
              ).length,
          );
        expect(cut, `${path} at ${width}`).toBe(0);
      }
    }
  });

  it('every diagram is drawn, in the colors of the scheme', async () => {
    const { page } = await visit();
    await page.goto('/sessions.html');
    await page.locator('.diagram svg').first().waitFor();
    await expect.poll(() => page.locator('pre.diagram').count()).toBe(0);
    const light = await drawings(page);
    expect(light.length).toBeGreaterThan(1);
    await photograph(page.locator('.diagram').last(), 'diagram.light');
    await page.getByRole('switch').first().click();
    await expect.poll(async () => (await drawings(page)).some((svg) => light.includes(svg))).toBe(false);
    await photograph(page.locator('.diagram').last(), 'diagram.dark');
  });

  it('the search finds a page, and leads to it', async () => {
    const { page } = await visit();
    await page.goto('/');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('refresh token rotation');
    await page.locator('.result').first().waitFor();
    await photograph(page, 'search.light.1280');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\.html/);
    await page.locator('.vp-doc h1').waitFor();
  });

  it('a link between files of the repository leads to a page without loading another document', async () => {
    const { page } = await visit();
    await page.goto('/contents.html');
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
    await page.locator('.vp-doc').getByRole('link', { name: 'Quick start' }).click();
    await page.waitForURL('**/quick-start.html');
    await page.getByRole('heading', { level: 1, name: 'Quick start' }).waitFor();
    expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true);
  });
});

const drawings = (page: Page): Promise<string[]> =>
  page.locator('.diagram').evaluateAll((elements) => elements.map(({ innerHTML }) => innerHTML));

/** Pictures are for people to look at; the tests do not need them, and would take half as long again. */
async function photograph(seen: Page | Locator, name: string): Promise<void> {
  if (process.env.SCREENSHOTS === 'true') await seen.screenshot({ path: `${SCREENSHOTS}/${name}.png` });
}
