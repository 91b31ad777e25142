import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { inEachColorScheme } from './color-schemes.js';
import { expectNoSidewaysScrolling, settled } from './layout.js';

const FOLDER = fileURLToPath(new URL('../../browser/screenshots', import.meta.url));

const WANTED = process.env.SCREENSHOTS === 'true';

const SIZES = [
  { width: 320, height: 640 },
  { width: 1280, height: 800 },
];

/**
 * Fails when the page scrolls sideways, narrow or wide. With `SCREENSHOTS=true` it also writes pictures of the whole page to
 * `test/browser/screenshots`, one for each colour scheme and width, named `<name>.<light|dark>.<320|1280>.png`: they are for people to look
 * at, and take most of the time of such a test. Returns their paths and restores the page.
 */
export async function photograph(page: Page, name: string, isWanted = WANTED): Promise<string[]> {
  const before = page.viewportSize();
  const pictures: string[] = [];
  try {
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await settled(page);
      await expectNoSidewaysScrolling(page);
      if (isWanted) pictures.push(...(await picturesOf(page, name, size.width)));
    }
  } finally {
    if (before) await page.setViewportSize(before);
  }
  return pictures;
}

async function picturesOf(page: Page, name: string, width: number): Promise<string[]> {
  const pictures: string[] = [];
  await inEachColorScheme(page, async (scheme) => {
    const picture = path.join(FOLDER, `${name}.${scheme}.${width}.png`);
    await settled(page);
    await page.screenshot({ path: picture, fullPage: true, animations: 'disabled' });
    pictures.push(picture);
  });
  return pictures;
}
