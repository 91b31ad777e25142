import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { checkAccessibility } from './accessibility.js';
import { tabOrder } from './keyboard.js';
import { expectRoomForLargeText } from './large-text.js';
import { layoutShift } from './layout.js';
import { photograph } from './photograph.js';

/** Less than anybody sees. */
const MOST_SHIFT = 0.001;

/**
 * Holds a state of a page to what is true of all of them: no rule of accessibility broken and nothing too wide in
 * either colour scheme, room for large text, and the focus seen wherever it goes. Takes its pictures.
 * @param stops what the Tab key reaches, in order.
 */
export async function inspect(page: Page, name: string, stops: string[]): Promise<void> {
  await checkAccessibility(page);
  await photograph(page, name);
  await expectRoomForLargeText(page);
  expect(await tabOrder(page), 'what the Tab key reaches').toEqual(stops);
}

/** The same for a state that the page reaches by itself: nothing may have moved until then. */
export async function inspectArrival(page: Page, name: string, stops: string[]): Promise<void> {
  expect(await layoutShift(page), 'layout shift').toBeLessThan(MOST_SHIFT);
  await inspect(page, name, stops);
}

/** Fails when a button loses its outline to the few colours that some people have set for everything. */
export async function expectButtonsInForcedColors(page: Page): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active' });
  const unseen = await page.locator('.primary:visible, .secondary:visible').evaluateAll((buttons) =>
    buttons
      .filter((button) => {
        const { borderTopStyle, borderTopWidth, borderTopColor, color } = getComputedStyle(button);
        const page = getComputedStyle(document.body).backgroundColor;
        return (
          borderTopStyle === 'none' || borderTopWidth === '0px' || [borderTopColor, color].includes(page)
        );
      })
      .map((button) => button.textContent),
  );
  await page.emulateMedia({ forcedColors: 'none' });
  expect(unseen).toEqual([]);
}
