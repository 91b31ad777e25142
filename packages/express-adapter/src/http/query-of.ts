import type { IncomingMessage } from 'node:http';
import { parse, type ParsedUrlQuery } from 'node:querystring';

/** Parses the query as it was sent. Not `req.query`, which depends on the `query parser` of the host app. */
export function queryOf({ url = '' }: Pick<IncomingMessage, 'url'>): ParsedUrlQuery {
  const start = url.indexOf('?');
  return start < 0 ? {} : parse(url.slice(start + 1));
}
