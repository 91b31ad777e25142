import { randomUUID } from 'node:crypto';
import type { HttpRequest } from './http-request.js';

/** The header with the id of a request, of requests and responses. */
export const REQUEST_ID_HEADER = 'X-Request-Id';
/** Ids that a caller may choose: no characters that could forge a log line. */
const ACCEPTABLE = /^[A-Za-z0-9._-]{8,128}$/;

const ids = new WeakMap<object, string>();

/**
 * Returns the id of a request for its response, log lines and audit entries: the caller's `X-Request-Id` if it is
 * well-formed, otherwise a new one. Repeated calls return the same id.
 */
export function requestIdOf({ source, headers }: Pick<HttpRequest, 'source' | 'headers'>): string {
  const known = ids.get(source);
  if (known !== undefined) return known;
  const sent = headers['x-request-id'];
  const id = typeof sent === 'string' && ACCEPTABLE.test(sent) ? sent : randomUUID();
  ids.set(source, id);
  return id;
}

/** Makes an id that the host has given a request the one that is used. */
export function adoptRequestId({ source }: Pick<HttpRequest, 'source'>, id: string): void {
  ids.set(source, id);
}
