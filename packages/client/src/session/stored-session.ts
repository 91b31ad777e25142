/** The session as a store keeps it: a plain object that can be serialized. In cookie mode it has no tokens. */
export interface StoredSession {
  /** Changes with each sign-in and stays the same when tokens are renewed. */
  id: string;
  /** Milliseconds since 1970, by the clock of this machine: requests renew the tokens from then on. */
  refreshAt: number;
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
}

/**
 * Storage of the session, for environments with one of their own. Stores with the same `name` in several tabs share
 * one session: the tabs refresh it once and notify each other. Without a name the store belongs to one client.
 */
export interface SessionStore {
  readonly name?: string | undefined;
  read: () => StoredSession | undefined | Promise<StoredSession | undefined>;
  /** Returns the session as the last tab wrote it, if `read` may return an earlier one. Defaults to `read`. */
  readLatest?: () => Promise<StoredSession | undefined>;
  write: (session: StoredSession) => void | Promise<void>;
  clear: () => void | Promise<void>;
}

/** A response with tokens, or with the tokens in cookies. */
export interface IssuedTokens {
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
  expiresIn: number;
}

const LEEWAY_SECONDS = 30;

/** Returns the session to store. It is renewed half a minute before the access token expires, or at three quarters of a short life. */
export function storedSession(id: string, tokens: IssuedTokens): StoredSession {
  const { accessToken, refreshToken, expiresIn } = tokens;
  const lifeSeconds = expiresIn - Math.min(LEEWAY_SECONDS, expiresIn / 4);
  return { id, refreshAt: Date.now() + lifeSeconds * 1000, accessToken, refreshToken };
}

/** Returns an id for a new sign-in. `crypto.randomUUID` exists in secure contexts only. */
export const newSessionId = (): string => crypto.getRandomValues(new Uint32Array(2)).join('-');

/** Reports whether both are the same tokens of the same session. */
export const isSameSession = (one: StoredSession | undefined, other: StoredSession | undefined): boolean =>
  one?.id === other?.id && one?.refreshAt === other?.refreshAt && one?.accessToken === other?.accessToken;
