import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { waitUntil } from '../wait-until.js';

/** https://wicg.github.io/layout-instability/, which only Chromium has. */
interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
}

/** A frame of the screen, and a little more. */
const FRAME_MS = 20;
/** Until the browser has told of the shifts that were. */
const TOLD_WITHIN_MS = 50;

/** Waits until fonts are there and the page has kept its size for a while. Works without scripts too. */
export async function settled(page: Page): Promise<void> {
  let last = '';
  await waitUntil(
    async () => {
      const now = await page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement;
        return `${document.fonts.status} ${scrollWidth} ${scrollHeight}`;
      });
      const isStable = now === last && now.startsWith('loaded');
      last = now;
      return isStable || sleep(FRAME_MS, false);
    },
    { what: 'a stable layout' },
  );
}

/** How much the page has moved under its reader since it was opened, as the sum of all shifts; 0 is none. */
export async function layoutShift(page: Page): Promise<number> {
  await settled(page);
  return page.evaluate(async (milliseconds) => {
    const shifts: LayoutShift[] = [];
    const keep = (entries: PerformanceEntryList): void => {
      shifts.push(...(entries as LayoutShift[]));
    };
    const observer = new PerformanceObserver((list) => keep(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    keep(observer.takeRecords());
    observer.disconnect();
    return shifts.filter((shift) => !shift.hadRecentInput).reduce((sum, shift) => sum + shift.value, 0);
  }, TOLD_WITHIN_MS);
}

/** Fails when the page scrolls to the side, and names what is too wide. */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  expect(await tooWide(page), `${page.viewportSize()?.width ?? 0} px wide`).toEqual([]);
}

/** What makes the page scroll to the side, one line each. */
export const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    return [...document.querySelectorAll('body, body *')]
      .map((element) => ({ element, right: Math.ceil(element.getBoundingClientRect().right + scrollX) }))
      .filter(({ right }) => right > innerWidth)
      .map(
        ({ element, right }) =>
          `is too wide: <${element.localName} class="${element.className}"> ends at ${right} px`,
      );
  });
