/**
 * The longest lifetime of an access token that the settings permit, in seconds, with the leeway of verifiers and of
 * clocks. Older revocations have no effect any more: every token that they end has expired.
 */
export const REVOCATION_MATTERS_SECONDS = 25 * 3600;

/**
 * An event that ends access tokens before they expire: the tokens of a session, or the tokens of a user with a lower
 * token version. The names of the types are those of CAEP. Readers ignore types that they do not know.
 * @example
 * ```ts
 * const ends = (entry: RevocationEntry, token: { sid: string; sub: string; tokenVersion: number }): boolean =>
 *   entry.type === 'session-revoked'
 *     ? entry.sid === token.sid
 *     : entry.sub === token.sub && token.tokenVersion < entry.minTokenVersion;
 * const token = { sid: 'a', sub: 'b', tokenVersion: 3 };
 * ends({ type: 'session-revoked', sid: 'a', at: '2026-11-22T12:00:00.000Z' }, token); // → true
 * ```
 */
export type RevocationEntry =
  | { type: 'session-revoked'; sid: string; at: string }
  | { type: 'token-claims-change'; sub: string; minTokenVersion: number; at: string };

/**
 * Revocations, and the cursor to continue after them. Entries may repeat.
 * @example
 * ```ts
 * const page: RevocationPage = await kit.auth.revocations.read();
 * const { id } = await kit.user();
 * await kit.auth.admin.sessions.revokeAll({ kind: 'operator', name: 'alice' }, id);
 * const next = await kit.auth.revocations.read({ after: page.cursor });
 * next.entries.at(-1)?.type; // → 'session-revoked'
 * ```
 */
export interface RevocationPage {
  cursor: string;
  entries: readonly RevocationEntry[];
}

/** The channel of the ephemeral store on which replicas announce that revocations were committed. */
export const REVOCATIONS_CHANNEL = 'revocations';
