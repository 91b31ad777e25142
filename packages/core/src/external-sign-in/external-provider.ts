import type { ExternalProviderSettings } from '../settings/external-provider-settings.js';

/** The request of a flow to a provider. */
export interface ProviderRequest {
  state: string;
  nonce: string;
  /** S256 of the verifier that goes with the code (RFC 7636). */
  pkceChallenge: string;
  redirectUri: string;
  loginHint?: string | undefined;
  /** True: the provider is to ask for the password again. */
  reauthenticate: boolean;
}

/** The response of a provider, and what its flow expects. */
export interface ProviderResponse {
  code: string;
  state: string;
  /** RFC 9207. */
  iss?: string | undefined;
  nonce: string;
  pkceVerifier: string;
  redirectUri: string;
  /** True: the sign-in there must be younger than a minute. */
  reauthenticated: boolean;
}

/** The user of a provider, proved by it. */
export interface ProviderUser {
  subject: string;
  /** As the provider spells it. */
  email?: string | undefined;
  emailVerified: boolean;
  /** True if the provider decides who has the mailbox of the address. */
  provesMailbox: boolean;
  fullName?: string | undefined;
  /** True if the sign-in there had several factors. */
  hadFactors: boolean;
  /** Time of the sign-in there, in seconds since the epoch. */
  authTime?: number | undefined;
  /** The session there, which may end sessions here. */
  sessionId?: string | undefined;
}

/** The sessions that a logout token ends, and the token. */
export interface ProviderLogout {
  subject?: string | undefined;
  sessionId?: string | undefined;
  tokenId: string;
}

/** The facts of a connection that decisions depend on. */
export type ProviderTraits = Pick<
  ExternalProviderSettings,
  'id' | 'type' | 'label' | 'trustsFactors' | 'reauthenticates'
>;

/** A service by which users sign in. Its tokens are used and dropped. */
export interface ExternalProvider {
  readonly traits: ProviderTraits;
  /** Returns the address to which the user goes. @throws ProviderUnavailable */
  authorizationUrl(request: ProviderRequest): Promise<string>;
  /** Exchanges the code and returns the user. @throws ProviderRefusal, ProviderUnavailable */
  identify(response: ProviderResponse): Promise<ProviderUser>;
  /** Reports whether a logout token claims to be of this provider. Nothing is verified. */
  mayHaveIssued(claims: { iss: unknown; aud: unknown }): boolean;
  /** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). @throws ProviderRefusal, ProviderUnavailable */
  verifyLogout(logoutToken: string): Promise<ProviderLogout>;
  /** Reads what the provider publishes. @returns its addresses, for operators. @throws ProviderUnavailable, ProviderRefusal */
  probe(): Promise<{ issuer: string | undefined; keys: number | undefined }>;
}

/**
 * Reasons for which a provider refuses the client of the configuration for any user: by RFC 6749, section 5.2, in the words of
 * GitHub, and by a challenge in place of them.
 */
export const CLIENT_REFUSALS: ReadonlySet<string> = new Set([
  'invalid_client',
  'unauthorized_client',
  'incorrect_client_credentials',
  'redirect_uri_mismatch',
  'www_authenticate_challenge',
]);

/** A response of a provider that proves nothing. The reason is for the audit log, never a value of the response. */
export class ProviderRefusal extends Error {
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    super(`The provider's response was refused: ${reason}`, options);
    this.name = 'ProviderRefusal';
    this.reason = reason;
  }
}

/** A provider that gave no usable response in time. */
export class ProviderUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ProviderUnavailable';
  }
}
