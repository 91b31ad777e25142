import { AuthError, type Administrator } from '@latchkey/core';
import type { Caller, CallerRequest } from './caller.js';

export const INTERNAL_KEY_HEADER = 'x-internal-api-key';

/** Another service that holds the internal key. No key, a wrong key and an unset key are all 403. */
export const internalKey: Caller<Administrator> = {
  security: 'internal-key',
  identify: async (request) => {
    const presented = request.header(INTERNAL_KEY_HEADER);
    if (presented !== undefined && request.auth.internalKey.accepts(presented)) {
      return { kind: 'machine', name: 'internal-key' };
    }
    if (presented !== undefined) await recordRejection(request);
    throw AuthError.forbidden('A valid X-Internal-API-Key is needed.');
  },
  permit: () => undefined,
  actorOf: (administrator) => administrator,
};

/** The refusal stands whether or not it can be written down. */
async function recordRejection({ auth, client }: CallerRequest): Promise<void> {
  try {
    await auth.audit.insert({
      event: 'internal_key_rejected',
      outcome: 'denied',
      actor: { kind: 'anonymous' },
      client,
    });
  } catch (error) {
    auth.logger.warn({ err: error, requestId: client.requestId }, 'a rejected internal key was not audited');
  }
}
