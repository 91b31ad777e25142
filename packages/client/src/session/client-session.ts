import { emptyResult, type Result, type ServiceError, type TransportError } from '../api/client-error.js';
import type { RequestFunction } from '../api/requester.js';
import type { SessionManager } from './session-manager.js';
import type { SessionListener, SessionState } from './session-state.js';
import type { IssuedTokens } from './stored-session.js';

/**
 * The session of a client: its state, its changes, and its access token for other services.
 *
 * @example
 * const record = (session: ClientSession, seen: string[]): (() => void) =>
 *   session.subscribe((state) => void seen.push(state.status));
 */
export class ClientSession {
  readonly #deps;
  #check: Promise<unknown> | undefined;

  constructor(deps: { manager: SessionManager; request: RequestFunction }) {
    this.#deps = deps;
  }

  /** The current state: the same object until it changes. */
  get state(): SessionState {
    return this.#deps.manager.state;
  }

  /** Calls the listener after each change, also by other tabs. Returns a function that ends this. */
  readonly subscribe = (listener: SessionListener): (() => void) => this.#deps.manager.subscribe(listener);

  /**
   * Returns the state once it is known. In cookie mode without a recorded session the service is asked; the state stays
   * `unknown` while it cannot be reached.
   */
  async ready(): Promise<SessionState> {
    await this.#deps.manager.loaded;
    if (this.state.status === 'unknown') {
      this.#check ??= this.#deps.request('GET', '/auth/me').finally(() => (this.#check = undefined));
      await this.#check;
    }
    return this.state;
  }

  /**
   * Returns an access token for requests to other services, renewed if it is about to expire. Undefined without a session
   * and in cookie mode.
   */
  async accessToken(): Promise<string | undefined> {
    const { session } = await this.#deps.manager.current();
    return session?.accessToken;
  }

  /**
   * Renews the tokens now, also in cookie mode, such as before a request that the client does not send. Requests by the client renew
   * them by themselves.
   */
  renew(): Promise<Result<undefined, ServiceError | TransportError>> {
    return emptyResult(() => this.#deps.manager.renew());
  }

  /**
   * Begins a session with tokens from elsewhere, such as a hand-off. An access token alone is that of a step-up of this
   * session, which goes on with it; `client.stepUp` is for that. Rejects with an `Error`, and changes nothing, if it belongs to
   * another session than the stored one.
   */
  start(tokens: IssuedTokens): Promise<void> {
    return this.#deps.manager.start(tokens);
  }
}
