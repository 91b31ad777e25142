/** The one element of a selector. Throws when the page lacks it: page and script are made for each other. */
export function element<Kind extends HTMLElement>(
  selector: string,
  kind: new () => Kind,
  root: ParentNode = document,
): Kind {
  const found = root.querySelector(selector);
  if (!(found instanceof kind)) throw new TypeError(`the page lacks ${selector}`);
  return found;
}

/** Every element of a selector. */
export const elements = (selector: string, root: ParentNode = document): HTMLElement[] => [
  ...root.querySelectorAll<HTMLElement>(selector),
];

/** Puts a text wherever the page shows it: in every element with `data-text="name"`. */
export function fill(name: string, text: string): void {
  for (const place of elements(`[data-text="${name}"]`)) place.textContent = text;
}
