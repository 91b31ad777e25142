import { waitAsAsked, type WaitLimit } from '../api/retry.js';
import type { ServiceCalls } from '../api/service-calls.js';
import type { RefusalCause, SessionManager } from './session-manager.js';
import type { StoredSession } from './stored-session.js';

/** The cause of a 401 that names none: the token may be too old. One that asks for a step-up is no such 401. */
const UNKNOWN_CAUSE: RefusalCause = { code: 'unauthorized', reason: 'unauthorized' };

/** Returns whether repeating the request has no further effect (RFC 9110 section 9.2.2); no route has PUT. */
const isIdempotent = ({ method }: Request): boolean => /^(GET|DELETE)$/.test(method);

/** One with the tokens at hand, one with renewed ones, and one with those that another tab has stored meanwhile. */
const MOST_ATTEMPTS = 3;
/** Another API may refuse every token: one renewal is enough to know. */
const MOST_ATTEMPTS_ELSEWHERE = 2;

/**
 * Sends requests as the signed-in user. A request that is refused for its token is sent again with a new one of the same
 * session. If another sign-in has replaced that, the refusal is returned: what one user began is never sent as another one.
 */
export class SessionFetch {
  readonly #deps;

  constructor(deps: {
    service: ServiceCalls;
    session: SessionManager;
    cookies: boolean;
    waitLimit: WaitLimit;
  }) {
    this.#deps = deps;
  }

  /** Sends a request to a route that needs no session. */
  readonly anonymous = (request: Request): Promise<Response> => this.#sendAndWait(request);

  /** Sends a request to the service with the tokens of the session. Throws what `fetch` throws. */
  readonly signedIn = (request: Request): Promise<Response> =>
    this.#send(async (used, begun) => {
      const { session, cookies } = this.#deps;
      // A browser sends the cookies that it has: those of another user, if one has signed in during the wait.
      const mayRepeat = cookies ? () => session.isCurrent(begun) : undefined;
      const response = await this.#sendAndWait(request, used?.accessToken, mayRepeat);
      if (cookies && response.ok) await session.noticeCookies();
      return response;
    });

  /** The same for another API, which may respond with 401 in a form of its own. */
  readonly elsewhere = (request: Request): Promise<Response> =>
    this.#send((used) => this.#deps.service.sendElsewhere(request.clone(), used?.accessToken), UNKNOWN_CAUSE);

  async #send(
    send: (used: StoredSession | undefined, begun: StoredSession | undefined) => Promise<Response>,
    assumed?: RefusalCause,
  ): Promise<Response> {
    const { session } = this.#deps;
    const mostAttempts = assumed ? MOST_ATTEMPTS_ELSEWHERE : MOST_ATTEMPTS;
    let next = await session.current();
    const begun = next.session;
    for (let attempt = 1; ; attempt += 1) {
      if (next.refusal) return next.refusal.clone();
      const used = next.session;
      const response = await send(used, begun);
      if (response.status !== 401 || attempt === mostAttempts) return response;
      const renewal = await session.afterRefusal(used, response, assumed);
      if (!renewal || (!renewal.refusal && !session.continues(begun, renewal))) return response;
      next = renewal;
    }
  }

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
