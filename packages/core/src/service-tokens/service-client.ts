import { digestOf, digestsEqual } from '../kernel/secret.js';

/** A service that can request tokens. */
export interface ServiceClient {
  id: string;
  /** SHA-256 of the accepted secrets, hexadecimal; two while a secret is being rotated. */
  secretHashes: readonly string[];
  audiences: readonly string[];
  scopes: readonly string[];
}

/** Returns whether the secret is one of the client's. Takes the same time for an unknown client. */
export function secretMatches(client: ServiceClient | undefined, secret: string): boolean {
  const digest = digestOf(secret);
  const hashes = client?.secretHashes ?? [UNKNOWN_CLIENT_HASH];
  const matches = hashes.map((hash) => digestsEqual(digest, Buffer.from(hash, 'hex')));
  return client !== undefined && matches.includes(true);
}

const UNKNOWN_CLIENT_HASH = '0'.repeat(64);

/** Returns the requested audience if the client may have it, the client's first one by default, otherwise undefined. */
export function grantedAudience(client: ServiceClient, requested: string | undefined): string | undefined {
  return requested === undefined
    ? client.audiences[0]
    : client.audiences.find((audience) => audience === requested);
}

/** Returns the requested scopes if the client has all of them, all of its scopes by default, otherwise undefined. */
export function grantedScopes(
  client: ServiceClient,
  requested: string | undefined,
): readonly string[] | undefined {
  const wanted = [...new Set((requested ?? '').split(' ').filter(Boolean))];
  if (wanted.length === 0) return client.scopes;
  return wanted.every((scope) => client.scopes.includes(scope)) ? wanted : undefined;
}
