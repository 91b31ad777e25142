import type { CDPSession, JSHandle, Page } from 'playwright-core';
import { expect } from 'vitest';

/** One element that the Tab key reaches. */
export interface TabStop {
  /** As announced by a screen reader: `button`. */
  role: string;
  name: string;
  /** True if an outline or a shadow marks the focus. */
  showsFocus: boolean;
}

/** The state in the page while the focus moves. */
interface Walk {
  visited: Element[];
  looksWithFocus: string[];
  look: (element: Element) => string;
}

const MOST_STOPS = 500;

/**
 * Returns the names of the elements that Tab reaches, from the top of the page until it starts again.
 * @throws AssertionError when one of them does not show that it has the focus.
 */
export async function tabOrder(page: Page): Promise<string[]> {
  const stops = await tabStops(page);
  const unmarked = stops.filter(({ showsFocus }) => !showsFocus).map(({ role, name }) => `${role} "${name}"`);
  expect(unmarked, 'elements without a visible focus').toEqual([]);
  return stops.map(({ name }) => name);
}

/** Returns the same elements with role and focus. @throws Error when Tab does not get past an element. */
export async function tabStops(page: Page): Promise<TabStop[]> {
  const session = await page.context().newCDPSession(page);
  const walk = await startAtTop(page);
  const stops: Omit<TabStop, 'showsFocus'>[] = [];
  while (stops.length < MOST_STOPS && (await reachesNext(page, walk))) stops.push(await spokenFocus(session));
  const shown = await focusShown(walk);
  await session.detach();
  return stops.map((stop, index) => ({ ...stop, showsFocus: shown[index] ?? false }));
}

/** Moves the start of Tab to the top: a field may already have the focus. The dialog that was opened last limits the focus. */
const startAtTop = (page: Page): Promise<JSHandle<Walk>> =>
  page.evaluateHandle(() => {
    const top = [...document.querySelectorAll<HTMLElement>('dialog:modal')].at(-1) ?? document.body;
    const before = top.getAttribute('tabindex');
    top.tabIndex = -1;
    top.focus();
    top.blur();
    if (before === null) top.removeAttribute('tabindex');
    else top.setAttribute('tabindex', before);
    const look = (element: Element): string => {
      for (const animation of element.getAnimations()) animation.finish();
      const { outline, outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(element);
      const isVisible =
        outlineStyle !== 'none' && outlineWidth !== '0px' && !/^rgba.* 0\)$|\/ 0\)$/.test(outlineColor);
      return `${isVisible ? outline : 'none'} ${boxShadow}`;
    };
    return { visited: [], looksWithFocus: [], look };
  });

/** Presses Tab. Returns false at the end: the focus has left the page or is on the first element again. */
async function reachesNext(page: Page, walk: JSHandle<Walk>): Promise<boolean> {
  await page.keyboard.press('Tab');
  const outcome = await walk.evaluate(({ visited, looksWithFocus, look }) => {
    const focused = document.activeElement;
    const hasLeft = focused === null || focused === document.body;
    if (hasLeft || (visited.length > 1 && focused === visited[0])) return 'through';
    if (visited.includes(focused)) return 'stuck';
    visited.push(focused);
    looksWithFocus.push(look(focused));
    return 'next';
  });
  if (outcome === 'stuck') throw new Error('Tab does not get past an element.');
  return outcome === 'next';
}

/** Returns role and name as assistive technology gets them. */
async function spokenFocus(session: CDPSession): Promise<Omit<TabStop, 'showsFocus'>> {
  const { result } = await session.send('Runtime.evaluate', { expression: 'document.activeElement' });
  const { nodes } = await session.send('Accessibility.getPartialAXTree', {
    ...(result.objectId !== undefined && { objectId: result.objectId }),
    fetchRelatives: false,
  });
  return { role: spoken(nodes[0]?.role), name: spoken(nodes[0]?.name) };
}

function spoken(property: { value?: unknown } | undefined): string {
  return typeof property?.value === 'string' ? property.value : '';
}

/** Reports for each visited element whether it looks different without the focus. */
const focusShown = (walk: JSHandle<Walk>): Promise<boolean[]> =>
  walk.evaluate(({ visited, looksWithFocus, look }) => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    return visited.map((element, index) => look(element) !== looksWithFocus[index]);
  });
