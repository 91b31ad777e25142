import type { Page } from 'playwright-core';

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface TextPlace {
  text: string;
  box: Box;
  /** The boxes around it that show nothing beyond their edges. */
  clips: Box[];
}

const SLACK_PIXELS = 1;

/** Texts that end outside a box which neither grows nor scrolls, or left or right of the page; fields too low for theirs. */
export async function cutOffText(page: Page): Promise<string[]> {
  const places = await textPlaces(page);
  const cut = places.filter(({ box, clips }) => clips.some((clip) => leaves(box, clip)));
  return [...cut.map(({ text }) => `is cut off: ${text}`), ...(await lowFields(page))];
}

const leaves = (box: Box, clip: Box): boolean =>
  box.left < clip.left - SLACK_PIXELS ||
  box.right > clip.right + SLACK_PIXELS ||
  box.top < clip.top - SLACK_PIXELS ||
  box.bottom > clip.bottom + SLACK_PIXELS;

/** Every text for eyes: what only screen readers get stands in boxes of a pixel. */
const textPlaces = (page: Page): Promise<TextPlace[]> =>
  page.evaluate(() => {
    const boxOf = (place: Element | Range): Box => {
      const { left, right, top, bottom } = place.getBoundingClientRect();
      return { left, right, top, bottom };
    };
    const clipsAround = (element: Element | null): Box[] => {
      if (element === null) return [{ left: 0, right: innerWidth, top: -1e6, bottom: 1e6 }];
      const { overflow } = getComputedStyle(element);
      const isTiny = element.clientWidth === 1 && element.clientHeight === 1;
      if (isTiny || (element !== document.documentElement && /auto|scroll/.test(overflow))) return [];
      const others = clipsAround(element.parentElement);
      return /hidden|clip/.test(overflow) ? [boxOf(element), ...others] : others;
    };
    const places: TextPlace[] = [];
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      const { currentNode: node } = nodes;
      const text = node.nodeValue?.trim() ?? '';
      const range = document.createRange();
      range.selectNodeContents(node);
      if (text === '' || !node.parentElement?.checkVisibility()) continue;
      places.push({ text, box: boxOf(range), clips: clipsAround(node.parentElement) });
    }
    return places;
  });

/** The text of a field is no node of the page. Fields without text have any height they like. */
const lowFields = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const NO_TEXT = '[type=checkbox], [type=radio], [type=range], [type=color], [type=file], button:empty';
    const isLow = (field: Element): boolean => {
      const { fontSize, paddingTop, paddingBottom } = getComputedStyle(field);
      const room = field.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
      return field.checkVisibility() && !field.matches(NO_TEXT) && room < parseFloat(fontSize);
    };
    return [...document.querySelectorAll('input, select, button')]
      .filter(isLow)
      .map((field) => `is too low: ${field.outerHTML.slice(0, 80)}`);
  });
