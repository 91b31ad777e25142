import type { InboxMail } from '@latchkey/core';
import type { InboxEntry } from './dev-mail-entry.js';
import { markup, type Markup } from './markup.js';

/** Returns a button that the script of the page handles by its `data-action`. */
const actionButton = (action: string, label: string): Markup => markup`
<button type="button" class="secondary" data-action="${action}">${label}</button>`;

/** The name of the inbox, as title and heading. */
export const INBOX_TITLE = 'Development inbox';

/** Returns the list of mails. @param path the address of the inbox. */
export const inboxView = (entries: readonly InboxEntry[], path: string): Markup => markup`
<h1>${INBOX_TITLE}</h1>
<p class="lead">Mails are kept here instead of being sent: the last 200, until the service stops.</p>
<div class="bar">
<div role="search"><input id="search" type="search" aria-label="Search mails" placeholder="Recipient, subject, kind or text" autocomplete="off" spellcheck="false"></div>
${actionButton('refresh', 'Refresh')}
<label class="switch"><input id="auto-refresh" type="checkbox" checked> Refresh automatically</label>
</div>
<p class="quiet" role="status" data-text="count"></p>
<ol class="mails" data-path="${path}">${entries.map((entry) => mailItem(entry, path))}</ol>
<p class="empty"${entries.length === 0 ? '' : markup` hidden`}>No mail yet. Register, invite a user or request a password reset.</p>`;

const mailItem = ({ id, receivedAt, to, subject, kind, preview }: InboxEntry, path: string): Markup => markup`
<li><a href="${path}/${id}">${subject}</a>${timeOf(receivedAt)}<p>${to}</p><p class="quiet"><code>${kind}</code> ${preview}</p></li>`;

/** Returns one mail as its recipient gets it: HTML in a sandboxed frame, text, then its links and headers. */
export const mailView = (mail: InboxMail, path: string, sender: string | undefined): Markup => markup`
${backTo(path)}
<h1>${mail.subject}</h1>
<p class="lead">To ${mail.to}, ${timeOf(mail.receivedAt.toISOString())}</p>
<div class="tabs" role="tablist" aria-label="Versions of the mail" hidden>
<button type="button" role="tab" id="tab-html" aria-controls="panel-html" aria-selected="true">HTML</button>
<button type="button" role="tab" id="tab-text" aria-controls="panel-text" aria-selected="false" tabindex="-1">Text</button>
</div>
<div id="panel-html" role="tabpanel" aria-labelledby="tab-html">
<iframe src="${path}/${mail.id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox" class="mail-frame" title="The HTML of the mail"></iframe>
</div>
<div id="panel-text" role="tabpanel" aria-labelledby="tab-text" tabindex="0">
<pre class="mail-text">${mail.text}</pre>
</div>
${mail.links.length === 0 ? '' : linksView(mail.links)}
<details class="mail-details">
<summary>Headers</summary>
<dl class="facts mail-headers">
${headersOf(mail, sender).map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
</dl>
</details>`;

const headersOf = (mail: InboxMail, sender: string | undefined): [string, string | Markup][] => [
  ['From', sender ?? 'not set (MAIL_FROM)'],
  ['To', mail.to],
  ['Subject', mail.subject],
  ['Date', timeOf(mail.receivedAt.toISOString())],
  ['Auto-Submitted', 'auto-generated'],
  ['Content-Language', mail.locale],
  ['Kind', mail.kind],
];

const linksView = (links: readonly string[]): Markup => markup`
<h2>Links</h2>
<ul class="links">
${links.map((link) => markup`<li><a href="${link}">${link}</a></li>`)}
</ul>`;

/** Returns the view for a mail that is not in the inbox, or not any more. */
export const missingMailView = (path: string): Markup => markup`
${backTo(path)}
<h1>Mail not found</h1>
<p class="lead">The inbox keeps the last 200 mails until the service stops.</p>`;

const backTo = (path: string): Markup => markup`<p class="back"><a href="${path}">All mails</a></p>`;

const timeOf = (time: string): Markup =>
  markup`<time class="quiet" datetime="${time}">${time.slice(0, 19).replace('T', ' ')} UTC</time>`;
