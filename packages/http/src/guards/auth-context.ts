import type { ApiKeyPrincipal, SessionPrincipal, User } from '@latchkey/core';

/** The current user. */
interface CurrentUser {
  /** Undefined when a hint was used instead of the database (`check: 'hint'`), and for an API key of a company. */
  user?: User | undefined;
}

/** An authenticated caller with a session. */
interface SessionContext extends SessionPrincipal, CurrentUser {
  /** The API key of the request; undefined for a caller with a session. */
  apiKey?: undefined;
}

/** An authenticated caller with an API key, where guards accept keys. */
interface ApiKeyContext extends ApiKeyPrincipal, CurrentUser {}

/** The authenticated caller of a request. */
export type AuthContext = SessionContext | ApiKeyContext;
