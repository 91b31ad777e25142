import { parse, type ParsedUrlQuery } from 'node:querystring';
import type { HttpRequest } from './http-request.js';

/** Parses the query as it was sent, whatever the host makes of it. */
export const queryOf = ({ query }: Pick<HttpRequest, 'query'>): ParsedUrlQuery =>
  query === '' ? {} : parse(query);
