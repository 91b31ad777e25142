import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { cutOffText } from './cut-off-text.js';
import { settled, tooWide } from './layout.js';

/** The default sizes of Chromium, in pixels. */
const DEFAULT = { standard: 16, fixed: 13 };
const TWICE = { standard: 32, fixed: 26 };

/** Fluid headings may grow less than the text around them. */
const LEAST_GROWTH = 1.5;

/**
 * Fails unless the page is readable at a width of 320 px with twice the default text size: all text grows, nothing is cut
 * off, nothing scrolls sideways (WCAG 2.2, 1.4.4 and 1.4.10). Restores the page.
 */
export async function expectLargeTextFits(page: Page): Promise<void> {
  const before = page.viewportSize();
  const session = await page.context().newCDPSession(page);
  try {
    await page.setViewportSize({ width: 320, height: 640 });
    await settled(page);
    const usual = await textSizes(page);
    await session.send('Page.setFontSizes', { fontSizes: TWICE });
    await settled(page);
    const faults = [
      ...notGrown(usual, await textSizes(page)),
      ...(await cutOffText(page)),
      ...(await tooWide(page)),
    ];
    expect(faults, 'large text').toEqual([]);
  } finally {
    await session.send('Page.setFontSizes', { fontSizes: DEFAULT });
    await session.detach();
    if (before) await page.setViewportSize(before);
  }
}

interface TextSize {
  text: string;
  pixels: number;
}

const notGrown = (usual: readonly TextSize[], large: readonly TextSize[]): string[] =>
  large
    .filter(({ pixels }, index) => pixels < (usual[index]?.pixels ?? 0) * LEAST_GROWTH)
    .map(({ text }) => `does not grow: ${text}`);

/** Returns the text size of every field and every element with its own text. */
const textSizes = (page: Page): Promise<TextSize[]> =>
  page.evaluate(() => {
    const hasText = (element: Element): boolean =>
      element.matches('input, select, textarea') ||
      [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '');
    return [...document.body.querySelectorAll('*')]
      .filter((element) => element.checkVisibility() && hasText(element))
      .map((element) => ({
        text: (element.textContent.trim() || element.outerHTML).slice(0, 60),
        pixels: parseFloat(getComputedStyle(element).fontSize),
      }));
  });
