import { createHash } from 'node:crypto';
import type { RequestHandler, Response, Router } from 'express';
import type { Auth, InboxMail, InboxMailer } from '@latchkey/core';
import { exactRouter } from '../http/exact-router.js';
import { localOnly } from './local-only.js';
import { markup, type Markup } from './markup.js';
import { onlyGet } from './only-get.js';

const PATH = '/dev/mail';

const STYLE = markup`
:root { color-scheme: light dark; }
body { max-width: 50rem; margin: 0 auto; padding: 1.5rem; font: 1rem/1.5 system-ui, sans-serif; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid; text-align: left; vertical-align: top; }
td { overflow-wrap: anywhere; }
pre { padding: 1rem; border: 1px solid; white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
footer { margin-top: 2rem; font-size: 0.875rem; }
`;

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE.toString()).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The development inbox, for people at this machine: a list of the mails that were kept instead of sent, and each mail
 * with its links.
 * @param headers puts on what every answer of ours carries.
 */
export function devMailPages(auth: Auth, inbox: InboxMailer, headers: RequestHandler): Router {
  const router = exactRouter();
  const before = [localOnly, headers, onlyGet(auth)];
  router.all(PATH, ...before, listPage(inbox));
  router.all<{ id: string }>(`${PATH}/:id`, ...before, mailPage(inbox));
  return router;
}

const listPage =
  (inbox: InboxMailer): RequestHandler =>
  ({ baseUrl: mountedAt }, response) => {
    const mails = inbox.list();
    const content = mails.length === 0 ? NO_MAIL : mailTable(mails, mountedAt + PATH);
    sendPage(response, 200, page('Development inbox', content));
  };

const NO_MAIL = markup`<p>No mail yet. Register, invite somebody or ask for a password reset, then reload.</p>`;

const mailTable = (mails: readonly InboxMail[], path: string): Markup => markup`<table>
<thead><tr><th scope="col">Received</th><th scope="col">To</th><th scope="col">Subject</th></tr></thead>
<tbody>${mails.map((mail) => mailRow(mail, path))}</tbody>
</table>`;

const mailRow = ({ id, receivedAt, to, subject }: InboxMail, path: string): Markup => markup`
<tr><td>${timeOf(receivedAt)}</td><td>${to}</td><td><a href="${path}/${id}">${subject}</a></td></tr>`;

const mailPage =
  (inbox: InboxMailer): RequestHandler<{ id: string }> =>
  (request, response) => {
    const mail = inbox.find(request.params.id);
    const back = markup`<p><a href="${request.baseUrl}${PATH}">All mail</a></p>`;
    if (mail) sendPage(response, 200, page(mail.subject, markup`${back}${mailContent(mail)}`));
    else sendPage(response, 404, page('This mail is not here', back));
  };

const mailContent = ({ to, receivedAt, text, links }: InboxMail): Markup => markup`
<p>To ${to}, received ${timeOf(receivedAt)}</p>
<pre>${withLinks(text, links)}</pre>`;

/** The text with the mail's own links made clickable; nothing else in it becomes one. */
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

const page = (title: string, content: Markup): Markup => markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
<footer>Kept in memory instead of being sent, for development: the last 200 mails.</footer>
</body>
</html>
`;

function sendPage(response: Response, status: number, content: Markup): void {
  response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  response.status(status).type('html').send(content.toString());
}
