import { z } from 'zod';
import { KEY_SET_MAX_AGE } from '@latchkey/core/keys';
import { anyone } from '../callers/anyone.js';
import { route, type Route } from '../routing/route.js';

const publicKey = z.object({
  kty: z.literal('RSA'),
  n: z.string(),
  e: z.string(),
  kid: z.string(),
  use: z.literal('sig'),
  alg: z.literal('RS256'),
});

/** The key set (RFC 7517) without the envelope. Verifiers may cache it for five minutes. */
export const keySet: Route = {
  ...route({
    method: 'get',
    path: '/.well-known/jwks.json',
    operationId: 'getKeySet',
    tag: 'Platform',
    summary: 'Get the public keys that verify access tokens',
    description:
      'A JSON Web Key Set (RFC 7517) without the envelope. Verifiers may cache it for five minutes.',
    caller: anyone,
    reply: z.object({ keys: z.array(publicKey) }).meta({
      id: 'KeySet',
      examples: [{ keys: [{ kty: 'RSA', n: 'sXch…', e: 'AQAB', kid: 'c2f1…', use: 'sig', alg: 'RS256' }] }],
    }),
    handle: ({ auth }) => auth.keys.toJwks(),
  }),
  enveloped: false,
  cacheSeconds: KEY_SET_MAX_AGE,
};
