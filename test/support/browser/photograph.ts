import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { inEachColorScheme } from './color-schemes.js';
import { expectNoSidewaysScrolling, settled } from './layout.js';

const FOLDER = fileURLToPath(new URL('../../browser/screenshots', import.meta.url));

const SIZES = [
  { width: 320, height: 640 },
  { width: 1280, height: 800 },
];

/**
 * Writes screenshots of the whole page to `test/browser/screenshots`, one for each colour scheme and width, named
 * `<name>.<light|dark>.<320|1280>.png`. Returns their paths and restores the page.
 * @throws AssertionError when the page scrolls sideways.
 */
export async function photograph(page: Page, name: string): Promise<string[]> {
  const before = page.viewportSize();
  const pictures: string[] = [];
  try {
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await inEachColorScheme(page, async (scheme) => {
        const picture = path.join(FOLDER, `${name}.${scheme}.${size.width}.png`);
        await settled(page);
        await expectNoSidewaysScrolling(page);
        await page.screenshot({ path: picture, fullPage: true, animations: 'disabled' });
        pictures.push(picture);
      });
    }
  } finally {
    if (before) await page.setViewportSize(before);
  }
  return pictures;
}
