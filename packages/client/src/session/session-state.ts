/**
 * The reason for which there is no session: `none` before the first sign-in, `signed_out` by this client, `revoked` by
 * the service, `expired` when it was not renewed in time.
 */
export type SignedOutReason = 'none' | 'signed_out' | 'revoked' | 'expired';

/**
 * The state of the session in this client. `unknown` until a store that answers later has been read, or, in cookie mode,
 * until the service has answered: `session.ready()` waits for it. `id` changes when another user signs in.
 */
export type SessionState =
  | { readonly status: 'unknown' }
  | { readonly status: 'signed_in'; readonly id: string }
  | { readonly status: 'signed_out'; readonly reason: SignedOutReason };

/** A function that is called with each new state of the session and the state before it. */
export type SessionListener = (state: SessionState, previous: SessionState) => void;

/** The current state and its listeners. */
export class StateHolder {
  readonly #listeners = new Set<SessionListener>();
  #state: SessionState = { status: 'unknown' };

  get current(): SessionState {
    return this.#state;
  }

  /** Notifies listeners if the status or the sign-in changes. The first reason of a sign-out stays. */
  set(state: SessionState): void {
    const previous = this.#state;
    if (previous.status === state.status && idOf(previous) === idOf(state)) return;
    this.#state = state;
    for (const listener of [...this.#listeners]) listener(state, previous);
  }

  subscribe(listener: SessionListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

const idOf = (state: SessionState): string | undefined => ('id' in state ? state.id : undefined);
