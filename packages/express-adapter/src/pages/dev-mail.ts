import { createHash } from 'node:crypto';
import type { RequestHandler, Response, Router } from 'express';
import type { Auth, InboxMailer } from '@latchkey/core';
import { exactRouter } from '../http/exact-router.js';
import { onlyGet } from '../http/only-get.js';
import { devMailStyle } from './dev-mail-style.js';
import { devMailPage, INBOX_TITLE, inboxView, mailView, missingMailView } from './dev-mail-views.js';
import { localOnly } from './local-only.js';
import type { Markup } from './markup.js';

const PATH = '/dev/mail';

/**
 * Creates a router with the development inbox, for users of this machine only: a list of the mails that were kept instead
 * of sent, and each mail with its headers, HTML, text and links.
 * @param headers sets the headers that every response of the service has.
 */
export function devMailPages(auth: Auth, inbox: InboxMailer, headers: RequestHandler): Router {
  const router = exactRouter();
  const before = [localOnly, headers, onlyGet(auth)];
  const send = pageSender(devMailStyle(auth.brandColours));
  const sender = auth.settings.mail.from;
  router.all(PATH, ...before, ({ baseUrl }, response) => {
    send(response, 200, INBOX_TITLE, inboxView(inbox.list(), baseUrl + PATH));
  });
  router.all<{ id: string }>(`${PATH}/:id`, ...before, ({ baseUrl, params }, response) => {
    const mail = inbox.find(params.id);
    const path = baseUrl + PATH;
    if (mail) send(response, 200, mail.subject, mailView(mail, path, sender));
    else send(response, 404, 'Mail not found', missingMailView(path));
  });
  router.all<{ id: string }>(`${PATH}/:id/html`, ...before, ({ baseUrl, params }, response) => {
    const mail = inbox.find(params.id);
    if (mail) sendMailHtml(response, mail.html);
    else send(response, 404, 'Mail not found', missingMailView(baseUrl + PATH));
  });
  return router;
}

type PageSender = (response: Response, status: number, title: string, content: Markup) => void;

function pageSender(style: Markup): PageSender {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style.toString()).digest('base64')}'`,
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return (response, status, title, content) => {
    response.setHeader('Content-Security-Policy', policy);
    response
      .status(status)
      .type('html')
      .send(devMailPage(title, style, content).toString());
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
