import { z } from 'zod';

/** Input of a token request. Client id and secret may be sent as HTTP Basic instead (RFC 6749 section 2.3.1). */
export const serviceTokenInput = z.object({
  clientId: z.string().min(1).max(200).optional(),
  clientSecret: z.string().min(1).max(500).optional(),
  audience: z.string().min(1).max(500).optional(),
  /** Separated by spaces. Defaults to all scopes of the client. */
  scope: z.string().max(1000).optional(),
});
/** Id and secret of a service, with the requested audience and scopes. */
export type ServiceTokenInput = z.input<typeof serviceTokenInput>;

/** Schema of an issued service token with its scopes. */
export const serviceTokenView = z
  .object({
    serviceToken: z.string(),
    tokenType: z.literal('Service'),
    /** Seconds. */
    expiresIn: z.int(),
    scope: z.string(),
  })
  .meta({ id: 'ServiceToken' });
/** A service token, valid for `expiresIn` seconds and for the space-separated scopes in `scope`. */
export type ServiceTokenView = z.output<typeof serviceTokenView>;
