import { setTimeout as sleep } from 'node:timers/promises';
import { AuthError } from '../kernel/auth-error.js';
import { withDeadline } from '../kernel/deadline.js';
import type { SpanDetails, Tracer } from '../kernel/tracer.js';
import { readEntitlements } from './entitlements-answer.js';
import type { Entitlements, EntitlementSource } from './entitlements.js';

const SPAN: SpanDetails = {
  name: 'GET entitlements',
  kind: 'client',
  attributes: { 'http.request.method': 'GET', 'peer.service': 'core service' },
};
/** Larger than the modules of any company. */
const MAX_ANSWER_BYTES = 1_048_576;
/** Pause before the retry, so that an instance can restart. */
const RETRY_PAUSE_MS = 50;

/** Failures of the connection itself, as Node and its `fetch` name them. */
const CONNECTION_ERRORS = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
]);

/** Fetches entitlements from the core service. Only a broken connection is retried, once. */
export class HttpEntitlements implements EntitlementSource {
  readonly #options;
  readonly #headers: Record<string, string>;

  constructor(options: {
    /** Without a trailing slash. Undefined: there is no core service, and no access can be resolved. */
    baseUrl: string | undefined;
    /** Sent as `X-Internal-API-Key`. */
    apiKey: string | undefined;
    /** Seconds for the whole look-up, including the retry. */
    timeout: number;
    tracer?: Tracer | undefined;
  }) {
    const { apiKey } = options;
    this.#options = options;
    this.#headers = {
      accept: 'application/json',
      ...(apiKey !== undefined && { 'x-internal-api-key': apiKey }),
    };
  }

  async fetch(companyId: string): Promise<Entitlements> {
    const { baseUrl, timeout } = this.#options;
    if (baseUrl === undefined) {
      throw AuthError.unavailable(
        'Access cannot be resolved: no core service is configured (CORE_BASE_URL).',
      );
    }
    const url = `${baseUrl}/internal/companies/${encodeURIComponent(companyId)}/entitlements`;
    const controller = new AbortController();
    try {
      const answer = this.#traced(() => this.#askTwice(url, controller.signal));
      // A timer of its own: it also ends a response whose body never ends.
      return await withDeadline(answer, timeout * 1000, 'The core service did not answer in time.');
    } catch (error) {
      if (AuthError.is(error)) throw error;
      throw AuthError.unavailable('The core service gave no usable answer.', error);
    } finally {
      // Frees the connection of a late or unread response.
      controller.abort();
    }
  }

  #traced(ask: () => Promise<Entitlements>): Promise<Entitlements> {
    const { tracer } = this.#options;
    return tracer ? tracer.step(SPAN, ask) : ask();
  }

  async #askTwice(url: string, signal: AbortSignal): Promise<Entitlements> {
    try {
      return await this.#ask(url, signal);
    } catch (error) {
      if (!isConnectionError(error)) throw error;
      await sleep(RETRY_PAUSE_MS, undefined, { signal });
      return this.#ask(url, signal);
    }
  }

  /** Fetches once. Redirects are not followed: the key is sent to no other address. */
  async #ask(url: string, signal: AbortSignal): Promise<Entitlements> {
    const headers = { ...this.#headers, ...this.#options.tracer?.outgoingHeaders() };
    const response = await fetch(url, { headers, redirect: 'manual', signal });
    if (response.status === 404) throw AuthError.forbidden('The company is not known.', 'company_unknown');
    if (response.status !== 200) throw new Error(`The core service answered ${response.status}.`);
    return readEntitlements(JSON.parse(await readText(response)));
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new Error('The answer of the core service is too large.');
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
}

/** Returns true for a broken connection: `fetch` throws a TypeError with the failure as its cause. */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return false;
  return 'code' in error.cause && CONNECTION_ERRORS.has(String(error.cause.code));
}
