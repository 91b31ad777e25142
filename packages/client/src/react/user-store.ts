import type { RequestError } from '../api/requester.js';
import type { Schemas } from '../api/routes.js';
import type { Client } from '../client.js';

/** The signed-in user. An error leaves the session as it is: offer `reload`. */
export interface UserState {
  status: 'loading' | 'signed_out' | 'ready' | 'error';
  user: Schemas['OwnProfile'] | undefined;
  error: RequestError<'GET', '/auth/me'> | undefined;
  /** The company that was chosen in this tab. */
  chosenCompanyId: string | undefined;
}

export const LOADING: UserState = {
  status: 'loading',
  user: undefined,
  error: undefined,
  chosenCompanyId: undefined,
};

/** In the storage of the tab: two tabs may be at work in two companies. */
const CHOICE = 'latchkey.company';

/** Asks for the user of the session once for all components, and again when another user signs in. */
export class UserStore {
  readonly #client: Client;
  readonly #listeners = new Set<() => void>();
  #state: UserState = LOADING;
  /** The session that the state belongs to: its id, or its status without one. */
  #session: string | undefined;
  #round = 0;
  #unsubscribe: (() => void) | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  readonly current = (): UserState => this.#state;

  /** Calls the listener after each change. Nothing is asked for without one. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#unsubscribe ??= this.#client.session.subscribe(() => this.#follow());
    this.#follow();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#unsubscribe?.();
      this.#unsubscribe = undefined;
    };
  };

  /** Asks again. The user stays as it is until the answer is there. */
  readonly reload = async (): Promise<void> => {
    const round = (this.#round += 1);
    const { data: user, error } = await this.#client.me();
    // Another session, or a later question.
    if (round !== this.#round) return;
    if (user) this.#set({ status: 'ready', user, error: undefined });
    else if (this.#client.session.state.status === 'signed_in') this.#set({ status: 'error', error });
  };

  readonly choose = (companyId: string): void => {
    try {
      sessionStorage.setItem(CHOICE, companyId);
    } catch {
      // A browser that blocks storage forgets the choice with the page.
    }
    this.#set({ chosenCompanyId: companyId });
  };

  #follow(): void {
    const { state } = this.#client.session;
    const session = 'id' in state ? state.id : state.status;
    if (session === this.#session) return;
    this.#session = session;
    this.#round += 1;
    const start = { ...LOADING, chosenCompanyId: chosenBefore() };
    this.#set(state.status === 'signed_out' ? { ...start, status: 'signed_out' } : start);
    if (state.status === 'signed_in') void this.reload();
  }

  #set(change: Partial<UserState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of [...this.#listeners]) listener();
  }
}

function chosenBefore(): string | undefined {
  try {
    return sessionStorage.getItem(CHOICE) ?? undefined;
  } catch {
    return undefined;
  }
}
