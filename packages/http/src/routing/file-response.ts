import type { Exchange } from '../exchange/exchange.js';
import type { HttpResponse } from '../exchange/http-response.js';

/** A file that a route sends. */
export interface ServedFile {
  /** Media type. */
  type: string;
  /** Name for a download, in ASCII without quotes. */
  name: string;
  content: Uint8Array;
}

/** Opened by itself, the file loads and runs nothing, and has an origin of its own. */
const POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

/**
 * Returns the response with a file. Browsers keep it and caches that users share do not, so that a file that was removed is gone. Pages
 * of any origin may show it: only who has its address can name it.
 */
export function fileResponse(
  { request, headers }: Exchange,
  { type, name, content }: ServedFile,
  keepSeconds: number,
): HttpResponse {
  headers.set('Content-Type', type);
  headers.set('Content-Length', String(content.length));
  headers.set('Content-Disposition', `inline; filename="${name}"`);
  headers.set('Content-Security-Policy', POLICY);
  headers.set('Cross-Origin-Resource-Policy', 'cross-origin');
  headers.set('Cache-Control', `private, max-age=${keepSeconds}, immutable`);
  return { status: 200, headers, body: request.method === 'HEAD' ? undefined : content };
}
