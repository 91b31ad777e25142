import { ClientMisuse } from './client-error.js';
import { waitAsAsked, type WaitLimit } from './retry.js';

/** Settings of every request. */
interface ServiceOptions {
  baseUrl: string;
  /** True in cookie mode. */
  cookies: boolean;
  /** True in cookie mode where `fetch` keeps no cookies. */
  lacksCookies: boolean;
  fetch: typeof fetch;
  /** The longest total time to wait as `Retry-After` asks. */
  waitLimit: WaitLimit;
}

const REFRESH_TIMEOUT_MS = 30_000;

/** The pauses after which a refresh without a response is repeated: the service may have answered, and knows the old token. */
const LOST_RESPONSE_PAUSES_MS = [0, 300, 1000];

/** The requests that concern the tokens themselves, and the headers of all others. */
export class ServiceCalls {
  readonly #options: ServiceOptions;

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  /** Sends one request to the service, with an access token or with the cookies. */
  send(request: Request, accessToken: string | undefined): Promise<Response> {
    const sent = new Request(request);
    sent.headers.set('accept', 'application/problem+json, application/json');
    if (this.#options.cookies) sent.headers.set('x-auth-mode', 'cookie');
    return this.sendElsewhere(sent, accessToken);
  }

  /** Sends one request to another API. A token that the caller has set is kept. */
  async sendElsewhere(request: Request, accessToken: string | undefined): Promise<Response> {
    const { cookies, lacksCookies, fetch } = this.#options;
    if (lacksCookies)
      throw new ClientMisuse("tokens: 'cookies' needs a browser, which keeps them; use 'memory' here.");
    const sent = new Request(request, cookies ? { credentials: 'include' } : {});
    if (!cookies && accessToken !== undefined && !sent.headers.has('authorization')) {
      sent.headers.set('authorization', `Bearer ${accessToken}`);
    }
    // The standard's function refuses to be called as a method of something else.
    return fetch(sent);
  }

  /**
   * Renews the tokens. With `waits`, a response that was lost on the way and a limit are tried again: the service returns
   * the same new token for a short time. Throws what `fetch` throws.
   */
  async refresh(refreshToken: string | undefined, waits: boolean): Promise<Response> {
    const attempt = () => this.#post('/auth/refresh', refreshToken);
    if (!waits) return attempt();
    return waitAsAsked(() => untilResponse(attempt), this.#options.waitLimit);
  }

  logout(refreshToken: string | undefined): Promise<Response> {
    return this.#post('/auth/logout', refreshToken);
  }

  /** Continues when the page is left, so that the browser keeps the new cookies. */
  #post(path: string, refreshToken: string | undefined): Promise<Response> {
    const init: RequestInit = {
      method: 'POST',
      keepalive: true,
      signal: AbortSignal.timeout(REFRESH_TIMEOUT_MS),
      ...(refreshToken !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ refreshToken }),
      }),
    };
    return this.send(new Request(this.#options.baseUrl + path, init), undefined);
  }
}

async function untilResponse(attempt: () => Promise<Response>): Promise<Response> {
  for (const pauseMs of LOST_RESPONSE_PAUSES_MS) {
    try {
      return await attempt();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  return attempt();
}
