/**
 * The longest lifetime of an access token that the settings permit, in seconds, with the leeway of verifiers and of
 * clocks. Older revocations have no effect any more: every token that they end has expired.
 */
export const REVOCATION_MATTERS_SECONDS = 25 * 3600;

/**
 * An event that ends access tokens before they expire: the tokens of a session, the tokens of a user with a lower
 * token version, or an API key and its tokens. The names of the first two types are those of CAEP. Readers ignore types that they do not know.
 */
export type RevocationEntry =
  | { type: 'session-revoked'; sid: string; at: string }
  | { type: 'token-claims-change'; sub: string; minTokenVersion: number; at: string }
  /** The key is refused, and every token that it was exchanged for. */
  | { type: 'api-key-revoked'; kid: string; at: string }
  /** The former text of the key is refused, and tokens that were issued before. */
  | { type: 'api-key-rotated'; kid: string; at: string };

/** Revocations, and the cursor to continue after them. Entries may repeat. */
export interface RevocationPage {
  cursor: string;
  entries: readonly RevocationEntry[];
}

/** The channel of the ephemeral store on which replicas announce that revocations were committed. */
export const REVOCATIONS_CHANNEL = 'revocations';
