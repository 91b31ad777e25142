import type { Actor, Auth, ClientInfo } from '@latchkey/core';

/** What deciding who calls may look at: headers and path, never the body. */
export interface CallerRequest {
  auth: Auth;
  client: ClientInfo;
  /** In upper case. */
  method: string;
  header(name: string): string | undefined;
  /**
   * The access token of a client in cookie mode; undefined for all others, empty when the cookie cannot be used.
   * @throws AuthError `forbidden` when a cookie may not speak for this request.
   */
  cookieToken(): string | undefined;
  params: Readonly<Record<string, string>>;
  /** Takes down who a good access token belongs to, for the access log. */
  recognize(who: { userId: string; sessionId: string }): void;
}

/** What of a request can say who is calling. */
export type Credentials = Pick<CallerRequest, 'header' | 'cookieToken'>;

export type Security = 'none' | 'bearer' | 'internal-key' | 'internal-key-or-bearer';

/** Who may call a route: how they prove themselves, and which of them are let in. */
export interface Caller<Identity> {
  readonly security: Security;
  /** @throws AuthError when the proof is missing or bad. */
  identify(request: CallerRequest): Promise<Identity>;
  /** @throws AuthError `forbidden` for somebody who is known but not let in. */
  permit(identity: Identity, request: CallerRequest): void;
  /** Whom audit rows name. */
  actorOf(identity: Identity): Actor;
}
