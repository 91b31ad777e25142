import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { checkAccessibility } from './accessibility.js';
import { tabOrder } from './keyboard.js';
import { expectLargeTextFits } from './large-text.js';
import { ignoreShiftsSoFar, layoutShift } from './layout.js';
import { photograph } from './photograph.js';

/** Less than a user can see. */
const MOST_SHIFT = 0.001;

/**
 * Checks a state of a page against the rules for all pages: accessible and not too wide in either colour scheme, large text
 * fits, the focus is always visible. Takes screenshots where they are wanted.
 * @param stops the elements that the Tab key reaches, in order.
 */
export async function inspect(page: Page, name: string, stops: string[]): Promise<void> {
  await checkAccessibility(page);
  await photograph(page, name);
  await expectLargeTextFits(page);
  expect(await tabOrder(page), 'elements that the Tab key reaches').toEqual(stops);
  await ignoreShiftsSoFar(page);
}

/** Does the same for a state that the page reaches by itself: there may be no layout shift before. */
export async function inspectArrival(page: Page, name: string, stops: string[]): Promise<void> {
  expect(await layoutShift(page), 'layout shift').toBeLessThan(MOST_SHIFT);
  await inspect(page, name, stops);
}

/** Fails when a button has no visible border in forced colors mode. */
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
