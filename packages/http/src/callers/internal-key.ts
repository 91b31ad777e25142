import { AuthError, type TrustedActor } from '@latchkey/core';
import { apiKeyOf, notWithApiKey } from './api-key.js';
import type { Caller, CallerRequest } from './caller.js';
import { INTERNAL_KEY_HEADER, SERVICE_TOKEN_HEADER } from './machine-headers.js';

/**
 * Another service, authenticated by the internal key or by a service token whose scope fits the method. The core decides
 * which further scopes a use case requires. A missing, wrong or unconfigured key is 403; too many wrong keys from one
 * address are 429. If the header of the key is present, the service token is ignored.
 */
export const internalKey: Caller<TrustedActor> = {
  security: 'internal-key',
  identify: async (request) => {
    if (apiKeyOf(request, request.auth) !== undefined) throw notWithApiKey();
    const key = request.header(INTERNAL_KEY_HEADER);
    const token = request.header(SERVICE_TOKEN_HEADER);
    if (key === undefined && token !== undefined) return identifyService(request, token);
    if (key !== undefined && request.auth.internalKey.accepts(key)) {
      return { kind: 'machine', name: 'internal-key' };
    }
    if (key !== undefined) await request.auth.internalKeyDenial.deny(request.client);
    throw AuthError.forbidden('A valid X-Internal-API-Key is needed.', 'internal_key_invalid');
  },
  permit: () => undefined,
  actorOf: (machine) => machine,
};

/** Reports whether a request carries credentials of a machine. */
export const comesFromMachine = (request: CallerRequest): boolean =>
  request.header(INTERNAL_KEY_HEADER) !== undefined || request.header(SERVICE_TOKEN_HEADER) !== undefined;

async function identifyService({ auth, method }: CallerRequest, token: string): Promise<TrustedActor> {
  const scope = method === 'GET' ? 'internal:read' : 'internal:write';
  const { clientId, scopes } = await auth.serviceTokens.authenticate(token, scope);
  return { kind: 'machine', name: `service:${clientId}`, scopes };
}
