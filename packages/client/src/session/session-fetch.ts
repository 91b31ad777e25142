import { isIdempotent, waitAsAsked, type WaitLimit } from '../api/retry.js';
import type { ServiceCalls } from '../api/service-calls.js';
import type { SessionManager } from './session-manager.js';

export interface SessionFetchDeps {
  service: ServiceCalls;
  session: SessionManager;
  cookies: boolean;
  waitLimit: WaitLimit;
}

/** One with the tokens at hand, one with renewed ones, and one with those that another tab has stored meanwhile. */
const MOST_ATTEMPTS = 3;

/**
 * Sends requests as the signed-in user. A request that is refused for its token is sent again with a new one of the same
 * session. If another sign-in has replaced that, the refusal is returned: what one user began is never sent as another one.
 */
export class SessionFetch {
  readonly #deps: SessionFetchDeps;

  constructor(deps: SessionFetchDeps) {
    this.#deps = deps;
  }

  /** Sends a request to a route that needs no session. */
  readonly anonymous = (request: Request): Promise<Response> => this.#sendAndWait(request);

  /** Sends a request with the tokens of the session. Throws what `fetch` throws. */
  readonly signedIn = async (request: Request): Promise<Response> => {
    const { session, cookies } = this.#deps;
    let next = await session.current();
    const begun = next.session;
    for (let attempt = 1; ; attempt += 1) {
      if (next.refusal) return next.refusal.clone();
      const used = next.session;
      // A browser sends the cookies that it has: those of another user, if one has signed in during the wait.
      const mayRepeat = cookies ? () => session.isCurrent(begun) : undefined;
      const response = await this.#sendAndWait(request, used?.accessToken, mayRepeat);
      if (cookies && response.ok) await session.noticeCookies();
      if (response.status !== 401 || attempt === MOST_ATTEMPTS) return response;
      const renewal = await session.afterRefusal(used, response);
      if (!renewal || (!renewal.refusal && !session.continues(begun, renewal))) return response;
      next = renewal;
    }
  };

  #sendAndWait(
    request: Request,
    accessToken?: string,
    mayRepeat?: () => Promise<boolean>,
  ): Promise<Response> {
    const { service, waitLimit } = this.#deps;
    const send = () => service.send(request.clone(), accessToken);
    const limit = { ...waitLimit, signal: request.signal, mayRepeat };
    return isIdempotent(request) ? waitAsAsked(send, limit) : send();
  }
}
