import type { IncomingMessage } from 'node:http';
import { parse, type ParsedUrlQuery } from 'node:querystring';

/** The query as it was sent. Not `req.query`, which says what the `query parser` of the host app makes of it. */
export function queryOf({ url = '' }: Pick<IncomingMessage, 'url'>): ParsedUrlQuery {
  const start = url.indexOf('?');
  return start < 0 ? {} : parse(url.slice(start + 1));
}
