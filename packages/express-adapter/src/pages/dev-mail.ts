import type { Request, RequestHandler, Response, Router } from 'express';
import type { Auth, InboxMailer } from '@latchkey/core';
import { exactRouter } from '../http/exact-router.js';
import { onlyGet } from '../http/only-get.js';
import { queryOf } from '../http/query-of.js';
import { inboxEntries } from './dev-mail-entries.js';
import { INBOX_TITLE, inboxView, mailView, missingMailView } from './dev-mail-views.js';
import { localOnly } from './local-only.js';
import type { PageContent } from './page-frame.js';
import { pageKitOf } from './page-kit.js';
import { sendPage } from './send-page.js';

const PATH = '/dev/mail';

/**
 * Creates a router with the development inbox, for users of this machine only: a list of the mails that were kept instead
 * of sent, as a page or as JSON, and each mail with its headers, links, HTML and text.
 * @param headers sets the headers that every response of the service has.
 */
export function devMailPages(auth: Auth, inbox: InboxMailer, headers: RequestHandler): Router {
  const router = exactRouter();
  const before = [localOnly, headers, onlyGet(auth)];
  const send = pageSender(auth);
  const sender = auth.settings.mail.from;
  router.all(PATH, ...before, (request, response) => {
    const entries = inboxEntries(inbox.list(), queryOf(request).search);
    response.vary('Accept');
    if (request.accepts('html', 'json') === 'json') response.json({ mails: entries });
    else send(request, response, page(INBOX_TITLE, inboxView(entries, request.baseUrl + PATH)));
  });
  router.all<{ id: string }>(`${PATH}/:id`, ...before, (request, response) => {
    const mail = inbox.find(request.params.id);
    const path = request.baseUrl + PATH;
    if (mail)
      send(request, response, { ...page(mail.subject, mailView(mail, path, sender)), hasFrames: true });
    else send(request, response.status(404), page('Mail not found', missingMailView(path)));
  });
  router.all<{ id: string }>(`${PATH}/:id/html`, ...before, (request, response) => {
    const mail = inbox.find(request.params.id);
    if (mail) sendMailHtml(response, mail.html);
    else send(request, response.status(404), page('Mail not found', missingMailView(request.baseUrl + PATH)));
  });
  return router;
}

type Views = PageContent['views'];

const page = (title: string, views: Views): PageContent => ({
  title,
  script: 'dev-mail.js',
  layout: 'wide',
  data: {},
  views,
});

type PageSender = (request: Request<never> | Request, response: Response, content: PageContent) => void;

/** The inbox is in English: developers use it. Its address is the requested one, whatever the public address is. */
function pageSender(auth: Auth): PageSender {
  const kit = pageKitOf(auth);
  const { baseUrl } = auth.settings.http;
  return (request, response, content) => {
    const { baseUrl: basePath } = request;
    sendPage(kit, content, { request: request as Request, response, baseUrl, basePath, locale: 'en' });
  };
}

/** No scripts, no forms, an opaque origin; links open in a new tab. It loads nothing and can be framed by the inbox only. */
const MAIL_POLICY = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

function sendMailHtml(response: Response, html: string): void {
  response.setHeader('Content-Security-Policy', MAIL_POLICY);
  response.setHeader('X-Frame-Options', 'SAMEORIGIN');
  // A sandboxed document always has its own origin; browsers warn about this header.
  response.removeHeader('Origin-Agent-Cluster');
  response.status(200).type('html').send(html.replace('<head>', '<head>\n<base target="_blank">'));
}
