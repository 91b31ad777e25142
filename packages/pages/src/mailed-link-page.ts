import type { Auth } from '@latchkey/core';
import { actionButton, formNotice, linkButton, view } from './controls.js';
import { markup, type Markup } from './markup.js';
import type { Messages } from './messages/messages.js';
import { commonData } from './page-data.js';
import type { PageContent } from './page-frame.js';
import { LOGIN_PATH, siblingPath } from './page-paths.js';

/** The texts of a page whose only button sends the token of its link to a route. */
interface MailedLinkTexts {
  title: string;
  heading: string;
  lead: string;
  button: string;
  doneHeading: string;
  done: string;
  unusableHeading: string;
  unusable: string;
  /** The state of an address that another account has by now. */
  takenHeading?: string;
  taken?: string;
}

interface MailedLinkPage {
  texts: MailedLinkTexts;
  /** The route, which takes `{ token }`. */
  route: string;
  /** Distinguishes its token from those of other pages in the storage of the tab. */
  tokenKey: string;
  /** The button after success. */
  next?: Markup;
}

/** Returns the content of the page. The script shows the states; opening the page calls nothing. */
export function mailedLinkPage(
  auth: Auth,
  { mailedLinks }: Messages,
  { texts, route, tokenKey, next }: MailedLinkPage,
): PageContent {
  const toSignIn = linkButton(siblingPath(LOGIN_PATH), mailedLinks.signIn, 'secondary');
  return {
    title: texts.title,
    script: 'mailed-link.js',
    data: { ...commonData(auth), route, 'token-key': tokenKey },
    views: markup`
${view('opening', texts.heading, markup`<p class="lead">${mailedLinks.moment}</p>`, true)}
${confirmView(texts)}
${ended('done', texts.doneHeading, texts.done, next)}
${ended('unusable', texts.unusableHeading, texts.unusable, toSignIn)}
${texts.takenHeading === undefined ? '' : ended('taken', texts.takenHeading, texts.taken, toSignIn)}`,
  };
}

const confirmView = ({ heading, lead, button }: MailedLinkTexts): Markup =>
  view(
    'confirm',
    heading,
    markup`
<p class="lead">${lead}</p>
<div class="actions">
${formNotice}
${actionButton('confirm', button, 'primary')}
</div>`,
  );

const ended = (name: string, heading: string, text = '', next?: Markup): Markup =>
  view(
    name,
    heading,
    markup`
<p class="lead">${text}</p>
${next === undefined ? '' : markup`<div class="actions">${next}</div>`}`,
  );
