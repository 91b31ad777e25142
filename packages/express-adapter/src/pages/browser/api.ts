import { pageData } from './page-data.js';

/** The result of a call. A failure has an error code of the service; `service_unavailable` also without a response. */
export type Result<Data> = { ok: true; data: Data } | Failure;

/** An error of the service, from its problem details (RFC 9457). */
export interface Failure {
  ok: false;
  code: string;
  /** The detailed reason. Pages decide by it and by the code, never by a text. */
  reason: string;
  /** For people. */
  message: string;
  /** The invalid fields. */
  fields: readonly FieldFault[];
  /** Seconds to wait before the next attempt; 0 if unknown. */
  retryAfter: number;
}

export interface FieldFault {
  /** JSON pointer into the request body. */
  pointer: string;
  reason: string;
  message: string;
}

export interface CallOptions {
  body?: object;
  token?: string | undefined;
}

const RESPONSE_TIMEOUT_MS = 15_000;

export const UNREACHABLE: Failure = {
  ok: false,
  code: 'service_unavailable',
  reason: 'service_unavailable',
  message: '',
  fields: [],
  retryAfter: 0,
};

const TOO_MANY: Failure = { ...UNREACHABLE, code: 'rate_limited', reason: 'rate_limited' };

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
        accept: 'application/problem+json',
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(pageData.cookieMode && { 'x-auth-mode': 'cookie' }),
      },
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    return resultOf<Data>(response, await response.json());
  } catch {
    return UNREACHABLE;
  }
}

/** The problem details of an error. A proxy in between may respond with something else. */
interface Problem {
  code?: string;
  reason?: string;
  detail?: string;
  errors?: FieldFault[];
}

function resultOf<Data>(response: Response, answer: unknown): Result<Data> {
  if (response.ok) return { ok: true, data: (answer as { data: Data }).data };
  const { code, reason, detail = '', errors = [] } = answer as Problem;
  const retryAfter = Number(response.headers.get('retry-after') ?? 0);
  if (code === undefined) return response.status === 429 ? { ...TOO_MANY, retryAfter } : UNREACHABLE;
  return { ok: false, code, reason: reason ?? code, message: detail, fields: errors, retryAfter };
}
