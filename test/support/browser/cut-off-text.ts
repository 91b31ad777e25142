import type { Page } from 'playwright-core';

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface TextBox {
  text: string;
  box: Box;
  /** The ancestors that clip their content. */
  clips: Box[];
}

const SLACK_PIXELS = 1;

/** Returns texts that are clipped by a box or by the edges of the page, and fields that are too low for their text. */
export async function cutOffText(page: Page): Promise<string[]> {
  const boxes = await textBoxes(page);
  const cut = boxes.filter(({ box, clips }) => clips.some((clip) => leaves(box, clip)));
  return [...cut.map(({ text }) => `is cut off: ${text}`), ...(await lowFields(page))];
}

const leaves = (box: Box, clip: Box): boolean =>
  box.left < clip.left - SLACK_PIXELS ||
  box.right > clip.right + SLACK_PIXELS ||
  box.top < clip.top - SLACK_PIXELS ||
  box.bottom > clip.bottom + SLACK_PIXELS;

/** Returns all visible texts. Texts for screen readers only are in boxes of one pixel. */
const textBoxes = (page: Page): Promise<TextBox[]> =>
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
    const boxes: TextBox[] = [];
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      const { currentNode: node } = nodes;
      const text = node.nodeValue?.trim() ?? '';
      const range = document.createRange();
      range.selectNodeContents(node);
      if (text === '' || !node.parentElement?.checkVisibility()) continue;
      boxes.push({ text, box: boxOf(range), clips: clipsAround(node.parentElement) });
    }
    return boxes;
  });

/** Returns fields that are too low: their text is not a node of the page. Fields without text may have any height. */
const lowFields = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const NO_TEXT = '[type=checkbox], [type=radio], [type=range], [type=color], [type=file], button:empty';
    const isLow = (field: Element): boolean => {
      const { fontSize, paddingTop, paddingBottom } = getComputedStyle(field);
      const space = field.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
      return field.checkVisibility() && !field.matches(NO_TEXT) && space < parseFloat(fontSize);
    };
    return [...document.querySelectorAll('input, select, button')]
      .filter(isLow)
      .map((field) => `is too low: ${field.outerHTML.slice(0, 80)}`);
  });
