import type { Auth } from '@latchkey/core';
import { actionButton, formNotice, view } from './controls.js';
import { markup, type Markup } from './markup.js';
import { commonData } from './page-data.js';
import type { PageContent } from './page-frame.js';

/** One state of a page: its heading and what is below. */
export interface PageState {
  heading: string;
  content: Markup;
}

/** A page whose only button sends the token of its link to a route. */
export interface MailedLinkPage {
  title: string;
  /** The route, which takes `{ token }`. */
  route: string;
  /** Distinguishes its token from those of other pages in the storage of the tab. */
  tokenKey: string;
  confirm: PageState & { button: string };
  /** The state after success, and after each failure by its name in the script. */
  states: { done: PageState; unusable: PageState; taken?: PageState };
}

/** Returns the content of the page. The script shows the states; opening the page calls nothing. */
export function mailedLinkPage(auth: Auth, { title, route, tokenKey, ...page }: MailedLinkPage): PageContent {
  const { heading, content, button } = page.confirm;
  const states = Object.entries<PageState>(page.states);
  return {
    title,
    script: 'mailed-link.js',
    data: { ...commonData(auth), route, 'token-key': tokenKey },
    views: markup`
${view('opening', heading, markup`<p class="lead">One moment…</p>`, true)}
${view(
  'confirm',
  heading,
  markup`
${content}
<div class="actions">
${formNotice}
${actionButton('confirm', button, 'primary')}
</div>`,
)}
${states.map(([name, state]) => view(name, state.heading, state.content))}`,
  };
}
