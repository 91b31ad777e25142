import type { InboxMail } from '@latchkey/core';
import { markup, type Markup } from './markup.js';

/** The name of the inbox, as title and heading. */
export const INBOX_TITLE = 'Development inbox';

const NO_MAIL = markup`<p>No mail yet. Register, invite a user or request a password reset, then refresh.</p>`;

/** Returns the list of mails. @param path the address of the inbox. */
export const inboxView = (mails: readonly InboxMail[], path: string): Markup => markup`
<p class="bar"><a href="${path}">Refresh</a> <span class="quiet">newest first</span></p>
${mails.length === 0 ? NO_MAIL : markup`<ol class="mails">${mails.map((mail) => mailItem(mail, path))}</ol>`}`;

const mailItem = ({ id, receivedAt, to, subject }: InboxMail, path: string): Markup => markup`
<li><a href="${path}/${id}">${subject}</a><p>${to}</p><p class="quiet">${timeOf(receivedAt)}</p></li>`;

/** Returns one mail as its recipient gets it: headers, HTML in a sandboxed frame, text. */
export const mailView = (mail: InboxMail, path: string, sender: string | undefined): Markup => markup`
${backTo(path)}
<dl>
<dt>From</dt><dd>${sender ?? 'not set (MAIL_FROM)'}</dd>
<dt>To</dt><dd>${mail.to}</dd>
<dt>Subject</dt><dd>${mail.subject}</dd>
<dt>Date</dt><dd>${timeOf(mail.receivedAt)}</dd>
<dt>Auto-Submitted</dt><dd>auto-generated</dd>
<dt>Content-Language</dt><dd>${mail.locale}</dd>
<dt>Kind</dt><dd>${mail.kind ?? 'test'}</dd>
</dl>
<h2>HTML</h2>
<iframe src="${path}/${mail.id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox" title="The HTML of the mail"></iframe>
<h2>Text</h2>
<pre>${withLinks(mail.text, mail.links)}</pre>`;

/** Returns the view for a mail that is not in the inbox, or not any more. */
export const missingMailView = (path: string): Markup => markup`
${backTo(path)}
<p>The inbox keeps the last 200 mails until the service stops.</p>`;

/** Returns the whole page around a view. */
export const devMailPage = (title: string, style: Markup, content: Markup): Markup => markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
<footer>Development only: the last 200 mails, kept in memory instead of being sent.</footer>
</body>
</html>
`;

const backTo = (path: string): Markup => markup`<p class="bar"><a href="${path}">All mail</a></p>`;

/** Returns the text with the links of the mail made clickable, and no others. */
function withLinks(text: string, [link, ...others]: readonly string[]): Markup[] {
  if (link === undefined) return [markup`${text}`];
  const anchor = markup`<a href="${link}">${link}</a>`;
  return text
    .split(link)
    .flatMap((part, index) => [...(index === 0 ? [] : [anchor]), ...withLinks(part, others)]);
}

function timeOf(time: Date): Markup {
  const text = time.toISOString();
  return markup`<time datetime="${text}">${text.slice(0, 19).replace('T', ' ')} UTC</time>`;
}
