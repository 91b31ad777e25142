import { AuthError, type Actor, type ClientInfo, type ErrorCode, type VerifyingAuth } from '@latchkey/core';

/** A denied request of an authenticated caller. */
export interface Denial {
  actor: Actor;
  client: ClientInfo;
  /** In upper case. */
  method: string;
  /** The pattern of the path, without a query. */
  path: string;
  /** The API key of the request. */
  apiKeyId?: string | undefined;
}

/**
 * Runs work and audits denials of an authenticated caller, wherever in the work they were decided.
 * @param codes the codes of denials. Defaults to `forbidden`.
 */
export async function withDenialsAudited<T>(
  { audit }: Pick<VerifyingAuth, 'audit'>,
  denial: () => Denial,
  work: () => Promise<T>,
  codes: readonly ErrorCode[] = ['forbidden'],
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (AuthError.is(error) && codes.includes(error.code)) {
      const { actor, client, method, path, apiKeyId } = denial();
      await audit.insert({
        event: 'access_denied',
        outcome: 'denied',
        actor,
        client,
        details: { method, path, ...(apiKeyId !== undefined && { apiKeyId }) },
      });
    }
    throw error;
  }
}
