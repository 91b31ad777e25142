import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Auth, RevocationPage } from '@latchkey/core';
import { JSON_TYPE } from '../http/envelope.js';
import type { Delivery } from '../http/route.js';
import { textOf } from './entries-text.js';

/** Maximum duration of sending a page, so that a client that stops reading does not hold its connection indefinitely. */
const MAX_SENDING_MS = 300_000;

export interface PageRequest {
  after: string | undefined;
  wait: number | undefined;
  /** Expiry of the credential, seconds since the epoch. */
  expiresAt: number | undefined;
}

/** Delivers one page of revocations as JSON, after a wait if there are none. */
export const deliverPage =
  ({ revocations }: Auth, { expiresAt, ...request }: PageRequest): Delivery =>
  async (response, addIdle) => {
    const ended = new AbortController();
    response.once('close', () => ended.abort());
    const expiry = expiresAt === undefined ? undefined : setTimeout(() => ended.abort(), msUntil(expiresAt));
    const beganAt = performance.now();
    try {
      const page = await revocations.read({ ...request, signal: ended.signal });
      await send(response, page);
    } finally {
      clearTimeout(expiry);
      if (request.wait !== undefined) addIdle(performance.now() - beganAt);
    }
  };

/** Returns the milliseconds until an expiry, at least a second, so that a client cannot come back in a tight loop. */
export const msUntil = (expiresAt: number): number => Math.max(expiresAt * 1000 - Date.now(), 1_000);

async function send(response: ServerResponse, { cursor, entries }: RevocationPage): Promise<void> {
  if (response.destroyed || response.headersSent) return;
  const start = Buffer.from(`{"success":true,"data":{"cursor":${JSON.stringify(cursor)},"entries":[`);
  const parts = [start, ...(await textOf(entries)), Buffer.from(']}}')];
  response.statusCode = 200;
  response.setHeader('Content-Type', JSON_TYPE);
  response.setHeader(
    'Content-Length',
    parts.reduce((sum, { length }) => sum + length, 0),
  );
  const body = response.req.method === 'HEAD' ? [] : parts;
  try {
    await pipeline(Readable.from(body), response, { signal: AbortSignal.timeout(MAX_SENDING_MS) });
  } catch {
    // The client is gone or does not read; it will request the page again.
    response.destroy();
  }
}
