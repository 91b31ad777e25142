import { digestOf, digestsEqual } from '../kernel/secret.js';

/**
 * A service that may ask for tokens.
 * @example
 * ```ts
 * const { hash } = newServiceSecret();
 * const billing: ServiceClient = { id: 'billing', secretHashes: [hash], audiences: ['latchkey'], scopes: [] };
 * entryOf(billing).secretHashes[0] === `sha256:${hash}`; // → true
 * ```
 */
export interface ServiceClient {
  id: string;
  /** SHA-256 of the accepted secrets, hexadecimal; two while a secret is being rotated. */
  secretHashes: readonly string[];
  audiences: readonly string[];
  scopes: readonly string[];
}

/** Whether the secret is one of the client's; as much work for a client that does not exist. */
export function secretMatches(client: ServiceClient | undefined, secret: string): boolean {
  const digest = digestOf(secret);
  const hashes = client?.secretHashes ?? [UNKNOWN_CLIENT_HASH];
  const matches = hashes.map((hash) => digestsEqual(digest, Buffer.from(hash, 'hex')));
  return client !== undefined && matches.includes(true);
}

const UNKNOWN_CLIENT_HASH = '0'.repeat(64);

/** The audience a token is for: the wish if the client may have it, else the first of its own; undefined if not. */
export function grantedAudience(client: ServiceClient, wish: string | undefined): string | undefined {
  return wish === undefined ? client.audiences[0] : client.audiences.find((audience) => audience === wish);
}

/** The scopes of a token: the wish if the client holds all of it, else all of its own; undefined if it does not. */
export function grantedScopes(
  client: ServiceClient,
  wish: string | undefined,
): readonly string[] | undefined {
  const wanted = [...new Set((wish ?? '').split(' ').filter(Boolean))];
  if (wanted.length === 0) return client.scopes;
  return wanted.every((scope) => client.scopes.includes(scope)) ? wanted : undefined;
}
