import type { Actor, Auth, ClientInfo, ErrorCode, SessionPrincipal } from '@latchkey/core';

/** The parts of a request that may identify its caller: headers and path, never the body. */
export interface CallerRequest {
  auth: Auth;
  client: ClientInfo;
  /** In upper case. */
  method: string;
  header(name: string): string | undefined;
  /**
   * Returns the access token of a client in cookie mode; undefined for all others, empty when the cookie is unusable.
   * @throws AuthError `forbidden` when this request may not authenticate with a cookie.
   */
  cookieToken(): string | undefined;
  params: Readonly<Record<string, string>>;
  /** Records the owner of a valid access token for the access log, and who acts for them for audit rows. */
  recognize(owner: Pick<SessionPrincipal, 'userId' | 'sessionId' | 'act'>): void;
}

/** The sources of an access token in a request. */
export type Credentials = Pick<CallerRequest, 'header' | 'cookieToken'>;

export type Security = 'none' | 'bearer' | 'api-key' | 'internal-key' | 'internal-key-or-bearer';

/** The callers of a route: how they authenticate, and which of them are allowed. */
export interface Caller<Identity> {
  readonly security: Security;
  /** Error codes of `permit`, in addition to those of the credentials. */
  readonly failures?: readonly ErrorCode[];
  /** @throws AuthError when the credentials are missing or invalid. */
  identify(request: CallerRequest): Promise<Identity>;
  /**
   * @throws AuthError `forbidden` for a caller who is authenticated but not allowed; `not_found` for one who must not learn whether
   * there is anything.
   */
  permit(identity: Identity, request: CallerRequest): Promise<void> | void;
  /** Returns the headers that the credential implies, for requests without them. */
  implied?(identity: Identity): Readonly<Record<string, string>>;
  /** Returns the actor for audit entries. */
  actorOf(identity: Identity): Actor;
}
