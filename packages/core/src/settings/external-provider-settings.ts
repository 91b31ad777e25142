/** The services by which users can sign in, as the settings name them. */
export const EXTERNAL_PROVIDER_TYPES = ['google', 'microsoft', 'github', 'oidc'] as const;
export type ExternalProviderType = (typeof EXTERNAL_PROVIDER_TYPES)[number];

/** A service by which users can sign in, with the client that is registered there. */
export interface ExternalProviderSettings {
  /** The connection, in the redirect URI and at each identity: it must not change. */
  id: string;
  type: ExternalProviderType;
  clientId: string;
  clientSecret?: string | undefined;
  /** Path of a private key as PEM (PKCS #8), for `private_key_jwt` in place of a secret. */
  privateKeyFile?: string | undefined;
  /** Set for `oidc`. For `google` and `microsoft` another one outside production only, for tests. */
  issuer?: string | undefined;
  /** Of `microsoft`: the id of a tenant, or `common`, `organizations` or `consumers`. */
  tenant?: string | undefined;
  scopes?: string[] | undefined;
  /** True: a sign-in there with several factors counts as one with several factors here. */
  trustsFactors: boolean;
  /** True: the service asks for the password again when it is asked to, and says when it did. */
  reauthenticates: boolean;
  /** The text of the button. */
  label: string;
}
