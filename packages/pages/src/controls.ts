import { markup, type Markup } from './markup.js';

/** Returns a button that the script of the page handles by its `data-action`. */
export const actionButton = (action: string, label: string): Markup => markup`
<button type="button" class="secondary" data-action="${action}">${label}</button>`;

/** Returns a link that looks like a button. */
export const linkButton = (
  href: string,
  label: string | Markup,
  rank: 'primary' | 'secondary',
): Markup => markup`
<a class="${rank}" href="${href}">${label}</a>`;
