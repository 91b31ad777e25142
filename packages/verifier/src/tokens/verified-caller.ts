/** The caller of a request: the claims of a token that is accepted now. */
export interface VerifiedCaller {
  /** A caller with a session, or a program with an API key: only with the option `apiKeys`. */
  readonly kind: 'session' | 'api-key';
  /** The user; of an API key its owner, and `key:<id>` for a key of a company. */
  readonly userId: string;
  /** The session; of an API key its own id. */
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
  /** The API key of the caller. */
  readonly apiKey?: Readonly<{ id: string; kind: string }>;
  /** The company in which an API key works. */
  readonly companyId?: string;
  /** The access of an API key when it was last verified, as `GET /auth/me/access` returns it; not of a token of one. */
  readonly access?: Readonly<Record<string, unknown>>;
  readonly tokenId: string;
  /** In seconds since the epoch. */
  readonly issuedAt: number;
  /** In seconds since the epoch. */
  readonly expiresAt: number;
}
