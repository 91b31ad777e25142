import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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

/** The rules of those tags that depend on colours: a scheme changes nothing else. */
const COLOR_RULES = axe
  .getRules(['cat.color'])
  .filter(({ tags }) => tags.some((tag) => TAGS.includes(tag)))
  .map(({ ruleId }) => ruleId);

/** What each page evaluates: a browser compiles it in two thirds of the time of `axe.source`, which is not minified. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules whose "incomplete" counts as a fault: contrast must be computable. */
const MUST_BE_DECIDED = ['color-contrast'];

/**
 * Fails when the page, as it is now, breaks a rule of WCAG 2.2 AA or a best practice that axe can find, in light, or
 * one about colours in dark. The page must run scripts.
 */
export async function checkAccessibility(page: Page): Promise<void> {
  const faults: string[] = [];
  // Through the protocol, which is not subject to the page's content security policy.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  await inEachColorScheme(page, async (scheme) => {
    await settled(page);
    faults.push(...(await faultsIn(page, scheme)));
  });
  expect(faults, `accessibility of ${page.url()}`).toEqual([]);
}

async function faultsIn(page: Page, scheme: ColorScheme): Promise<string[]> {
  const { violations, incomplete } = await page.evaluate(async (rules) => {
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
      runOnly: rules,
      resultTypes: ['violations', 'incomplete'],
    });
    if (isBare) root.style.removeProperty('background-color');
    return results;
  }, rulesFor(scheme));
  const undecided = incomplete.filter(({ id }) => MUST_BE_DECIDED.includes(id));
  return [...violations, ...undecided].flatMap((result) => described(result, scheme));
}

const rulesFor = (scheme: ColorScheme): axe.RunOnly =>
  scheme === 'light' ? { type: 'tag', values: TAGS } : { type: 'rule', values: COLOR_RULES };

const described = ({ id, help, nodes }: axe.Result, scheme: ColorScheme): string[] =>
  nodes.map(({ target, failureSummary = '' }) => {
    const why = failureSummary.split('\n').slice(1).join(';').trim();
    return `${scheme}: ${id} at ${target.join(' ')}: ${help}. ${why}`;
  });
