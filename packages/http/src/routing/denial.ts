import { AuthError, type Actor, type VerifyingAuth, type ClientInfo } from '@latchkey/core';

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

/** Runs work and audits `forbidden` of an authenticated caller, wherever in the work it was decided. */
export async function withDenialsAudited<T>(
  { audit }: Pick<VerifyingAuth, 'audit'>,
  denial: () => Denial,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (AuthError.is(error) && error.code === 'forbidden') {
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
