import type { Auth, InboxMail, InboxMailer } from '@latchkey/core';
import {
  type Endpoint,
  type Exchange,
  type HttpResponse,
  type SteadyEndpoint,
  getOnly,
  jsonResponse,
  preferredType,
  queryOf,
  textResponse,
} from '@latchkey/http/internal';
import type { InboxEntry } from './dev-mail-entry.js';
import { INBOX_TITLE, inboxView, mailView, missingMailView } from './dev-mail-views.js';
import { localOnly } from './local-only.js';
import type { Markup } from './markup.js';
import type { PageContent } from './page-frame.js';
import { pageKitOf } from './page-kit.js';
import { pageResponse } from './page-response.js';
import { withSlashRedirects } from './trailing-slash.js';

const PREVIEW_CHARACTERS = 90;

/** Returns the mails whose recipient, subject, kind or text contains the searched text, in any case; else all. */
function inboxEntries(mails: readonly InboxMail[], search: unknown): InboxEntry[] {
  const wanted = typeof search === 'string' ? search.trim().toLowerCase() : '';
  return mails.filter((mail) => contentOf(mail).includes(wanted)).map(entryOf);
}

const contentOf = ({ to, subject, kind, text }: InboxMail): string =>
  [to, subject, kind, text].join('\n').toLowerCase();

function entryOf({ id, to, subject, kind, text, receivedAt }: InboxMail): InboxEntry {
  const words = text.replaceAll(/\s+/g, ' ').trim();
  const preview =
    words.length <= PREVIEW_CHARACTERS
      ? words
      : `${words.slice(0, PREVIEW_CHARACTERS).replace(/\s+\S*$/, '')} …`;
  return { id, to, subject, kind, preview, receivedAt: receivedAt.toISOString() };
}

const PATH = '/dev/mail';

/**
 * Returns the development inbox, for users of this machine only: a list of the mails that were kept instead of sent, as a page
 * or as JSON, and each mail with its headers, links, HTML and text.
 */
export function devMailEndpoints(auth: Auth, inbox: InboxMailer): Endpoint[] {
  const page = pageMaker(auth);
  const sender = auth.settings.mail.from;
  const ofMail =
    (respond: (exchange: Exchange, mail: InboxMail) => HttpResponse): SteadyEndpoint['serve'] =>
    (exchange, { id = '' }) => {
      const mail = inbox.find(id);
      if (mail) return respond(exchange, mail);
      return page(exchange, content('Mail not found', missingMailView(inboxPath(exchange))), 404);
    };
  const endpoints: SteadyEndpoint[] = [
    { path: PATH, serve: (exchange) => inboxResponse(exchange, inbox, page) },
    {
      path: `${PATH}/{id}`,
      serve: ofMail((exchange, mail) => {
        const views = mailView(mail, inboxPath(exchange), sender);
        return page(exchange, { ...content(mail.subject, views), hasFrames: true });
      }),
    },
    {
      path: `${PATH}/{id}/html`,
      serve: ofMail((exchange, { html }) => mailHtml(exchange, html)),
    },
  ];
  const pages = endpoints.map((endpoint) => getOnly(auth, endpoint));
  return withSlashRedirects(auth, pages).map(localOnly);
}

/** The address of the inbox is the requested one, whatever the public address is. */
const inboxPath = ({ request }: Exchange): string => request.mountPath + PATH;

function inboxResponse(exchange: Exchange, inbox: InboxMailer, page: PageMaker): HttpResponse {
  const entries = inboxEntries(inbox.list(), queryOf(exchange.request).search);
  exchange.headers.vary('Accept');
  if (preferredType(exchange.request, ['text/html', 'application/json']) === 'application/json')
    return jsonResponse(exchange, 200, { mails: entries });
  return page(exchange, content(INBOX_TITLE, inboxView(entries, inboxPath(exchange))));
}

const content = (title: string, views: Markup): PageContent => ({
  title,
  script: 'dev-mail.js',
  layout: 'wide',
  data: {},
  views,
});

type PageMaker = (exchange: Exchange, content: PageContent, status?: number) => HttpResponse;

/** The inbox is in English: developers use it. */
function pageMaker(auth: Auth): PageMaker {
  const kit = pageKitOf(auth);
  const { baseUrl } = auth.settings.http;
  return (exchange, content, status) => {
    const { mountPath: basePath } = exchange.request;
    return pageResponse(kit, content, { exchange, baseUrl, basePath, locale: 'en', status });
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

function mailHtml(exchange: Exchange, html: string): HttpResponse {
  const { headers } = exchange;
  headers.set('Content-Security-Policy', MAIL_POLICY);
  headers.set('X-Frame-Options', 'SAMEORIGIN');
  // A sandboxed document always has its own origin; browsers warn about this header.
  headers.remove('Origin-Agent-Cluster');
  const text = html.replace('<head>', '<head>\n<base target="_blank">');
  return textResponse(exchange, 200, { type: 'text/html; charset=utf-8', text });
}
