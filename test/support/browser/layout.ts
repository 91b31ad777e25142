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
/** The name of the mark after which shifts count. */
const INSPECTED = 'inspected';
/** The time until the browser has reported past shifts. */
const REPORTED_WITHIN_MS = 50;

/** Waits until fonts are loaded and the page size is stable. Works without JavaScript too. */
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

/**
 * Makes `layoutShift` ignore the shifts so far: those of an inspection. Chromium ignores them itself within half a second of
 * a change of the window, which is too short on a busy machine.
 */
export async function ignoreShiftsSoFar(page: Page): Promise<void> {
  await settled(page);
  await page.evaluate((name) => performance.mark(name), INSPECTED);
}

/** Returns the sum of all layout shifts since the page was opened, or inspected; 0 is none. */
export async function layoutShift(page: Page): Promise<number> {
  await settled(page);
  return page.evaluate(
    async ({ milliseconds, name }) => {
      const since = performance.getEntriesByName(name).at(-1)?.startTime ?? 0;
      const shifts: LayoutShift[] = [];
      const keep = (entries: PerformanceEntryList): void => {
        shifts.push(...(entries as LayoutShift[]));
      };
      const observer = new PerformanceObserver((list) => keep(list.getEntries()));
      observer.observe({ type: 'layout-shift', buffered: true });
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      keep(observer.takeRecords());
      observer.disconnect();
      return shifts
        .filter((shift) => !shift.hadRecentInput && shift.startTime > since)
        .reduce((sum, shift) => sum + shift.value, 0);
    },
    { milliseconds: REPORTED_WITHIN_MS, name: INSPECTED },
  );
}

/** Fails when the page scrolls sideways, and names the elements that are too wide. */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  expect(await tooWide(page), `${page.viewportSize()?.width ?? 0} px wide`).toEqual([]);
}

/** Returns the elements that make the page scroll sideways, one line each. */
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
