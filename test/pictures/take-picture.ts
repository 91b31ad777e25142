import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { inEachColorScheme } from '../support/browser/color-schemes.js';
import { settled } from '../support/browser/layout.js';

const FOLDER = fileURLToPath(new URL('../../docs/images', import.meta.url));

const WIDTH = 1280;
const LEAST_HEIGHT = 720;

/**
 * Writes `docs/images/<name>-light.png` and `<name>-dark.png`: the whole page in a window that is as high as it.
 */
export async function takePicture(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: WIDTH, height: LEAST_HEIGHT });
  await settled(page);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: WIDTH, height });
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  await inEachColorScheme(page, async (scheme) => {
    await settled(page);
    await page.screenshot({ path: `${FOLDER}/${name}-${scheme}.png`, animations: 'disabled' });
  });
}
