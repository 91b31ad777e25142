/** Returns the element of a selector. Throws when the page lacks it, since page and script belong together. */
export function element<Kind extends HTMLElement>(
  selector: string,
  kind: new () => Kind,
  root: ParentNode = document,
): Kind {
  const found = root.querySelector(selector);
  if (!(found instanceof kind)) throw new TypeError(`the page lacks ${selector}`);
  return found;
}

/** Returns all elements of a selector. */
export const elements = (selector: string, root: ParentNode = document): HTMLElement[] => [
  ...root.querySelectorAll<HTMLElement>(selector),
];
