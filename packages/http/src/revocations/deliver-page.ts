import { Readable } from 'node:stream';
import type { Auth, RevocationPage } from '@latchkey/core';
import type { Exchange } from '../exchange/exchange.js';
import type { HttpResponse } from '../exchange/http-response.js';
import { JSON_TYPE } from '../routing/envelope.js';
import type { Delivery } from '../routing/route.js';
import { textOf } from './entries-text.js';

/** Maximum duration of sending a page, so that a client that stops reading does not hold its connection indefinitely. */
const MAX_SENDING_MS = 300_000;

interface PageRequest {
  after: string | undefined;
  wait: number | undefined;
  /** Expiry of the credential, seconds since the epoch. */
  expiresAt: number | undefined;
}

/** Delivers one page of revocations as JSON, after a wait if there are none. */
export const deliverPage =
  ({ revocations }: Auth, { expiresAt, ...query }: PageRequest): Delivery =>
  async (exchange, addIdle) => {
    const ended = new AbortController();
    const end = (): void => ended.abort();
    exchange.request.signal.addEventListener('abort', end, { once: true });
    const expiry = expiresAt === undefined ? undefined : setTimeout(end, msUntil(expiresAt));
    const beganAt = performance.now();
    try {
      return await pageResponse(exchange, await revocations.read({ ...query, signal: ended.signal }));
    } finally {
      clearTimeout(expiry);
      exchange.request.signal.removeEventListener('abort', end);
      if (query.wait !== undefined) addIdle(performance.now() - beganAt);
    }
  };

/** Returns the milliseconds until an expiry, at least a second, so that a client cannot come back in a tight loop. */
export const msUntil = (expiresAt: number): number => Math.max(expiresAt * 1000 - Date.now(), 1_000);

async function pageResponse(
  { request, headers }: Exchange,
  { cursor, entries }: RevocationPage,
): Promise<HttpResponse> {
  const start = Buffer.from(`{"success":true,"data":{"cursor":${JSON.stringify(cursor)},"entries":[`);
  const parts = [start, ...(await textOf(entries)), Buffer.from(']}}')];
  headers.set('Content-Type', JSON_TYPE);
  headers.set('Content-Length', String(parts.reduce((sum, { length }) => sum + length, 0)));
  if (request.method === 'HEAD') return { status: 200, headers };
  // In parts, which other readers of the page share.
  return { status: 200, headers, body: Readable.from(parts), until: AbortSignal.timeout(MAX_SENDING_MS) };
}
