import { pageData } from './page-data.js';

/** What a call came to. A failure has a code of the service; `service_unavailable` also when nobody answered. */
export type Result<Data> = { ok: true; data: Data } | Failure;

export interface Failure {
  ok: false;
  code: string;
  message: string;
  /** Seconds to wait before the next try; 0 when nothing was said. */
  retryAfter: number;
}

export interface CallOptions {
  body?: object;
  token?: string | undefined;
}

const ANSWER_WITHIN_MILLISECONDS = 15_000;

export const UNREACHABLE: Failure = { ok: false, code: 'service_unavailable', message: '', retryAfter: 0 };

/** Calls the service. Never throws. */
export async function call<Data>(
  method: 'GET' | 'POST',
  path: string,
  { body, token }: CallOptions = {},
): Promise<Result<Data>> {
  try {
    const response = await fetch(pageData.base + path, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(pageData.cookieMode && { 'x-auth-mode': 'cookie' }),
      },
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MILLISECONDS),
    });
    return resultOf<Data>(response, (await response.json()) as Envelope<Data>);
  } catch {
    return UNREACHABLE;
  }
}

type Envelope<Data> =
  { success: true; data: Data } | { success: false; error: { code: string; message: string } };

function resultOf<Data>(response: Response, envelope: Envelope<Data>): Result<Data> {
  if (envelope.success) return { ok: true, data: envelope.data };
  return { ok: false, ...envelope.error, retryAfter: Number(response.headers.get('retry-after') ?? 0) };
}
