import type { Actor } from '@latchkey/core';
import type { Caller } from './caller.js';
import { INTERNAL_KEY_HEADER, internalKey, SERVICE_TOKEN_HEADER } from './internal-key.js';

/** A service that reads the revocation feed. */
interface FeedReader {
  actor: Actor;
  /** Seconds since the epoch; undefined for the internal key. */
  expiresAt?: number;
}

/** A service with the internal key, or with a service token of the scope `revocations:read`. */
export const feedReader: Caller<FeedReader> = {
  security: 'internal-key',
  identify: async (request) => {
    const token = request.header(SERVICE_TOKEN_HEADER);
    if (request.header(INTERNAL_KEY_HEADER) !== undefined || token === undefined) {
      return { actor: await internalKey.identify(request) };
    }
    const { clientId, scopes, expiresAt } = await request.auth.serviceTokens.authenticate(
      token,
      'revocations:read',
    );
    return { actor: { kind: 'machine', name: `service:${clientId}`, scopes }, expiresAt };
  },
  permit: () => undefined,
  actorOf: ({ actor }) => actor,
};
