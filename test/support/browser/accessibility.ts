import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inEachColorScheme, type ColorScheme } from './color-schemes.js';
import { settled } from './layout.js';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Rules whose "incomplete" counts as a fault: contrast must be computable. */
const MUST_BE_DECIDED = ['color-contrast'];

/**
 * Fails when the page, as it is now, breaks a rule of WCAG 2.2 AA or a best practice that axe can find, in light or
 * in dark. The page must run scripts.
 */
export async function checkAccessibility(page: Page): Promise<void> {
  const faults: string[] = [];
  // Through the protocol, which is not subject to the page's content security policy.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  await inEachColorScheme(page, async (scheme) => {
    await settled(page);
    faults.push(...(await faultsIn(page, scheme)));
  });
  expect(faults, `accessibility of ${page.url()}`).toEqual([]);
}

async function faultsIn(page: Page, scheme: ColorScheme): Promise<string[]> {
  const { violations, incomplete } = await page.evaluate(async (tags) => {
    // A colour that is still fading would be measured on its way.
    for (const animation of document.getAnimations()) {
      // A spinner has no end.
      const isEndless = animation.effect?.getComputedTiming().endTime === Infinity;
      if (isEndless) animation.pause();
      else animation.finish();
    }
    // axe takes a page without a background for white, which in dark it is not.
    const root = document.documentElement;
    const isBare = [root, document.body].every((element) =>
      getComputedStyle(element).backgroundColor.endsWith(', 0)'),
    );
    if (isBare) root.style.backgroundColor = 'Canvas';
    const results = await window.axe.run(document, {
      runOnly: tags,
      resultTypes: ['violations', 'incomplete'],
    });
    if (isBare) root.style.removeProperty('background-color');
    return results;
  }, TAGS);
  const undecided = incomplete.filter(({ id }) => MUST_BE_DECIDED.includes(id));
  return [...violations, ...undecided].flatMap((result) => described(result, scheme));
}

const described = ({ id, help, nodes }: axe.Result, scheme: ColorScheme): string[] =>
  nodes.map(({ target, failureSummary = '' }) => {
    const why = failureSummary.split('\n').slice(1).join(';').trim();
    return `${scheme}: ${id} at ${target.join(' ')}: ${help}. ${why}`;
  });
