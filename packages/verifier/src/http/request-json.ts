import { RequestLimit } from './request-limit.js';

/** A `fetch`, that of the platform or a replacement. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A response whose body was read. */
interface JsonAnswer {
  status: number;
  /** Undefined if it is not JSON. */
  body: unknown;
  retryAfterSeconds: number | undefined;
}

interface JsonRequest {
  url: string;
  init?: RequestInit;
  timeoutMs: number;
  /** Ends the request early. */
  signal?: AbortSignal;
}

/**
 * Sends a request and reads the response as JSON within a time. Redirects are not followed, so credentials reach no
 * other server.
 * @throws Error if the request fails or takes too long.
 */
export async function requestJson(
  fetch: Fetch,
  { url, init = {}, timeoutMs, signal }: JsonRequest,
): Promise<JsonAnswer> {
  const limit = new RequestLimit(timeoutMs, signal);
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: limit.signal });
    const text = await response.text();
    return { status: response.status, body: parsed(text), retryAfterSeconds: retryAfterOf(response) };
  } finally {
    limit.end();
  }
}

/** Reads whole seconds; dates are ignored. */
export function retryAfterOf(response: Response): number | undefined {
  const header = response.headers.get('retry-after') ?? '';
  return /^\d{1,5}$/.test(header) ? Number(header) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
