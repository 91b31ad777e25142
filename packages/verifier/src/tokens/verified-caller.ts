/** The caller of a request: the claims of a token that is accepted now. */
export interface VerifiedCaller {
  /** A caller with a session. Later versions add callers without one. */
  readonly kind: 'session';
  readonly userId: string;
  readonly sessionId: string;
  /** The platform role when the token was issued. */
  readonly globalRole: string;
  readonly tokenVersion: number;
  /** Time of the sign-in, in seconds since the epoch. */
  readonly authTime: number;
  /** Methods of the sign-in, in values of RFC 8176. */
  readonly amr: readonly string[];
  /** Level of the sign-in, `aal1` or `aal2`. Undefined if the service does not issue it. */
  readonly acr: string | undefined;
  /** Who acts for the user in this session (RFC 8693 section 4.1). Undefined in one of the user's own. */
  readonly act: Readonly<{ sub: string }> | undefined;
  /** Claims that the application with the service has added. */
  readonly claims: Readonly<Record<string, unknown>>;
  readonly tokenId: string;
  /** In seconds since the epoch. */
  readonly issuedAt: number;
  /** In seconds since the epoch. */
  readonly expiresAt: number;
}
