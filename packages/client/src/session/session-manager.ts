import { problemOf, REPLACED, stepUpOf } from '../api/client-error.js';
import type { ServiceCalls } from '../api/service-calls.js';
import { isOfSameSession } from './access-token-claims.js';
import {
  StateHolder,
  type SessionListener,
  type SessionState,
  type SignedOutReason,
} from './session-state.js';
import {
  isSameSession,
  newSessionId,
  storedSession,
  type IssuedTokens,
  type SessionStore,
  type StoredSession,
} from './stored-session.js';
import { TabChannel } from './tab-channel.js';
import { TabLock } from './tab-lock.js';

/** The outcome of a renewal: a session to go on with, or the response that a waiting request gets. */
type Renewal =
  | { session: StoredSession | undefined; refusal?: undefined }
  | { session?: undefined; refusal: Response };

/** Sent to other tabs when the stored session has changed. */
interface SessionChange {
  /** Present after a sign-out. */
  reason?: SignedOutReason;
}

/** In milliseconds since 1970; infinity cannot be stored as JSON. */
const NEVER = 9e15;

/** The reasons of a 401 that a new access token may settle. A wrong password is none: it must not be sent twice. */
const SETTLED_BY_REFRESH = ['unauthorized', 'access_token_outdated', 'session_expired'];

/**
 * The session of this client and, by its store, of the other tabs. Whatever changes the stored session does so in the
 * lock of the store and reads it again there: another tab may have renewed or ended it meanwhile.
 */
export class SessionManager {
  readonly #deps;
  readonly #state = new StateHolder();
  readonly #lock: TabLock;
  readonly #channel: TabChannel<SessionChange>;
  /** Resolves when the store has been read. */
  readonly loaded: Promise<void>;
  #renewal: Promise<Renewal> | undefined;
  /** The id under which this client recorded cookies from elsewhere: requests that began before that belong to it. */
  #foundId: string | undefined;

  constructor(deps: {
    store: SessionStore;
    service: ServiceCalls;
    /** True in cookie mode: the browser has the tokens. */
    cookies: boolean;
    /** Reports whether there may be cookies; undefined if only the service knows. */
    hasCookies: () => boolean | undefined;
  }) {
    this.#deps = deps;
    this.#lock = new TabLock(deps.store.name);
    this.#channel = new TabChannel(deps.store.name, (change) => {
      void this.#follow(change).catch(() => undefined);
    });
    this.loaded = Promise.resolve(this.#load());
  }

  get state(): SessionState {
    return this.#state.current;
  }

  subscribe(listener: SessionListener): () => void {
    return this.#state.subscribe(listener);
  }

  close(): void {
    this.#channel.close();
  }

  /**
   * Returns the stored session, renewed if its access token is about to expire. A failure of that is no refusal. If another
   * sign-in replaces the session meanwhile, its own tokens are used; cookies are those of the other sign-in by then.
   */
  async current(): Promise<Renewal> {
    const stored = await this.#deps.store.read();
    if (!stored || (Date.now() < stored.refreshAt && !this.#renewal)) return { session: stored };
    const renewal = await this.#renew(stored, false).catch((): Renewal => ({ session: stored }));
    if (renewal.refusal?.status === 401) return renewal;
    if (this.continues(stored, renewal)) return renewal;
    if (this.#deps.cookies && !renewal.refusal) return { refusal: replaced() };
    // The access token is valid for a while yet; the service decides.
    return { session: stored };
  }

  /** Reports whether a request that began with `begun` goes on with the same session: never as another user. */
  continues(begun: StoredSession | undefined, { session }: Renewal): boolean {
    return session !== undefined && session.id === (begun ? begun.id : this.#foundId);
  }

  /** Reports whether the cookies are still those with which a request began. */
  async isCurrent(begun: StoredSession | undefined): Promise<boolean> {
    const session = await this.#readLatest();
    return session?.id === begun?.id || this.continues(begun, { session });
  }

  /**
   * Returns how to go on after a 401 to a request that was sent with `used`: undefined if a refresh would not help.
   * Throws what `fetch` throws while the service cannot be reached.
   */
  async afterRefusal(
    used: StoredSession | undefined,
    refusal: Response,
    assumed?: RefusalCause,
  ): Promise<Renewal | undefined> {
    const { code, reason } = await causeOf(refusal, assumed);
    if (code === 'session_revoked') {
      // In cookie mode only a refresh clears the cookies, unless they are newer ones already.
      return this.#deps.cookies ? this.#renew(used, true) : this.#endRevoked(used, refusal);
    }
    if (code !== 'unauthorized' || !SETTLED_BY_REFRESH.includes(reason)) return undefined;
    if (!used && !this.#deps.cookies) return undefined;
    return this.#renew(used, true);
  }

  /**
   * Renews the tokens now. Returns the refusal if that fails, and undefined if there is no session to renew. Throws what `fetch`
   * throws.
   */
  async renew(): Promise<Response | undefined> {
    const { refusal } = await this.#renew(await this.#readLatest(), true);
    return refusal;
  }

  /** Renews the tokens if there are any: the service may have ended the session. A failure of that changes nothing. */
  async check(): Promise<void> {
    if (this.#state.current.status === 'signed_in') await this.renew().catch(() => undefined);
  }

  /** Records that the service answered a request by cookie, which is how a session from elsewhere is noticed. */
  async noticeCookies(): Promise<void> {
    if (this.#state.current.status === 'signed_in') return;
    await this.#lock.run(async () => {
      const known = await this.#readLatest();
      if (known) this.#show(known);
      else await this.#keep({ id: this.#findId(), refreshAt: NEVER });
    });
  }

  /**
   * Stores the tokens of a sign-in, or the access token of a step-up, with which the session goes on.
   * @throws Error for an access token of another session than the stored one
   */
  async start(tokens: IssuedTokens): Promise<void> {
    if (this.#deps.cookies || tokens.refreshToken) {
      await this.#lock.run(() => this.#keep(storedSession(newSessionId(), tokens)));
    } else if (!(await this.raise(tokens, () => true))) throw new Error(REPLACED);
  }

  /** Goes on with the access token of a step-up. Drops it and returns false if the store holds another session by now. */
  raise(tokens: IssuedTokens, isBegun: (stored: StoredSession) => boolean): Promise<boolean> {
    return this.#lock.run(async () => {
      const stored = await this.#readLatest();
      if (!stored || !isBegun(stored)) return false;
      if (!this.#deps.cookies && !isOfSameSession(tokens.accessToken, stored.accessToken)) return false;
      await this.#keep(storedSession(stored.id, { ...stored, ...tokens }));
      return true;
    });
  }

  /**
   * Signs out. Tokens are forgotten even if the service cannot be reached; cookies can be cleared by the service only.
   * Returns undefined if there was nothing to end.
   */
  async signOut(): Promise<Response | undefined> {
    return this.#lock.run(async () => {
      const { service, cookies } = this.#deps;
      const stored = await this.#readLatest();
      if (!cookies) await this.#end('signed_out');
      if (!cookies && stored?.refreshToken === undefined) return undefined;
      const response = await service.logout(stored?.refreshToken);
      if (cookies && response.ok) await this.#end('signed_out');
      return response;
    });
  }

  /** Shares one renewal among all requests of this tab. */
  #renew(used: StoredSession | undefined, waits: boolean): Promise<Renewal> {
    this.#renewal ??= this.#lock
      .run(() => this.#renewAlone(used, waits))
      .finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  async #renewAlone(used: StoredSession | undefined, waits: boolean): Promise<Renewal> {
    const { service, cookies } = this.#deps;
    const stored = await this.#readLatest();
    const isNewer = stored !== undefined && !isSameSession(stored, used);
    if (isNewer && Date.now() < stored.refreshAt) return { session: stored };
    if (!stored && !cookies) return { session: undefined };
    const response = await service.refresh(stored?.refreshToken, waits);
    if (response.ok) {
      const { data } = (await response.json()) as { data: IssuedTokens };
      const session = storedSession(stored?.id ?? this.#findId(), data);
      await this.#keep(session);
      return { session };
    }
    const { code } = await causeOf(response);
    if (code === 'session_revoked') await this.#end('revoked');
    else if (code === 'unauthorized') await this.#end(stored ? 'expired' : 'none');
    return { refusal: response };
  }

  /** Ends the session, unless another one has been stored meanwhile. */
  #endRevoked(used: StoredSession | undefined, refusal: Response): Promise<Renewal> {
    return this.#lock.run(async () => {
      const stored = await this.#readLatest();
      if (stored && !isSameSession(stored, used)) return { session: stored };
      if (used) await this.#end('revoked');
      return { refusal };
    });
  }

  #findId(): string {
    return (this.#foundId = newSessionId());
  }

  async #keep(session: StoredSession): Promise<void> {
    await this.#deps.store.write(session);
    this.#channel.post({});
    this.#show(session);
  }

  async #end(reason: SignedOutReason): Promise<void> {
    await this.#deps.store.clear();
    this.#channel.post({ reason });
    this.#state.set({ status: 'signed_out', reason });
  }

  async #readLatest(): Promise<StoredSession | undefined> {
    const { store } = this.#deps;
    return store.readLatest ? store.readLatest() : store.read();
  }

  /** Sets the state from the store: at once if that answers at once. */
  #load(): void | Promise<void> {
    const read = this.#deps.store.read();
    if (!(read instanceof Promise)) this.#show(read);
    else return read.then((stored) => this.#show(stored)).catch(() => undefined);
  }

  /** Follows a change by another tab, whose reason is known if it has signed out. */
  async #follow({ reason }: SessionChange): Promise<void> {
    this.#show(await this.#readLatest(), reason);
  }

  /** Sets the state. In cookie mode there is no session if the browser has no cookies, for instance because it blocks them. */
  #show(stored: StoredSession | undefined, reason?: SignedOutReason): void {
    const hint = this.#deps.cookies ? this.#deps.hasCookies() : stored !== undefined;
    if (stored && hint !== false) this.#state.set({ status: 'signed_in', id: stored.id });
    else if (hint === false || reason) this.#state.set({ status: 'signed_out', reason: reason ?? 'none' });
  }
}

/** Returns the response to a request whose session is no longer that of the browser. */
const replaced = (): Response =>
  Response.json({ error: { code: 'unauthorized', message: REPLACED } }, { status: 401 });

/** Code and reason of a refusal. */
export interface RefusalCause {
  code: string;
  reason: string;
}

/** Reads code and reason; an app that embeds the service may respond without a reason. */
async function causeOf(response: Response, assumed?: RefusalCause): Promise<RefusalCause> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  const unknown: Partial<RefusalCause> | undefined = stepUpOf(response) ? undefined : assumed;
  const { code = '', reason = code } = problemOf(body) ?? unknown ?? {};
  return { code, reason };
}
