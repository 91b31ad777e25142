import { z } from 'zod';

/** The pair may come as HTTP Basic instead (RFC 6749 section 2.3.1). */
export const serviceTokenInput = z.object({
  clientId: z.string().min(1).max(200).optional(),
  clientSecret: z.string().min(1).max(500).optional(),
  audience: z.string().min(1).max(500).optional(),
  /** Separated by spaces; all of the client's scopes unless given. */
  scope: z.string().max(1000).optional(),
});
export type ServiceTokenInput = z.output<typeof serviceTokenInput>;

export const serviceTokenView = z
  .object({
    serviceToken: z.string(),
    tokenType: z.literal('Service'),
    /** Seconds. */
    expiresIn: z.int(),
    scope: z.string(),
  })
  .meta({ id: 'ServiceToken' });
export type ServiceTokenView = z.output<typeof serviceTokenView>;
