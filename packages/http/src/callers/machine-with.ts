import type { Actor, MachineScope } from '@latchkey/core';
import { apiKeyOf, notWithApiKey } from './api-key.js';
import type { Caller } from './caller.js';
import { internalKey } from './internal-key.js';
import { INTERNAL_KEY_HEADER, SERVICE_TOKEN_HEADER } from './machine-headers.js';

/** A service that was identified, and the end of its credential. */
interface Machine {
  actor: Actor;
  /** Seconds since the epoch; undefined for the internal key. */
  expiresAt?: number;
}

/** Returns a service with the internal key, or with a service token of this scope, whatever other scopes it has. */
export const machineWith = (scope: MachineScope): Caller<Machine> => ({
  security: 'internal-key',
  identify: async (request) => {
    if (apiKeyOf(request, request.auth) !== undefined) throw notWithApiKey();
    const token = request.header(SERVICE_TOKEN_HEADER);
    if (request.header(INTERNAL_KEY_HEADER) !== undefined || token === undefined) {
      return { actor: await internalKey.identify(request) };
    }
    const { clientId, scopes, expiresAt } = await request.auth.serviceTokens.authenticate(token, scope);
    return { actor: { kind: 'machine', name: `service:${clientId}`, scopes }, expiresAt };
  },
  permit: () => undefined,
  actorOf: ({ actor }) => actor,
});
