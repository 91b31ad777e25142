import { z } from 'zod';

/**
 * The pair may come as HTTP Basic instead (RFC 6749 section 2.3.1).
 * @example
 * ```ts
 * serviceTokenInput.parse({ clientId: 'billing', scope: 'internal:read' }).scope; // → 'internal:read'
 * ```
 */
export const serviceTokenInput = z.object({
  clientId: z.string().min(1).max(200).optional(),
  clientSecret: z.string().min(1).max(500).optional(),
  audience: z.string().min(1).max(500).optional(),
  /** Separated by spaces; all of the client's scopes unless given. */
  scope: z.string().max(1000).optional(),
});
/**
 * A service's id and secret, and what its token is to be good for.
 * @example
 * ```ts
 * const input: ServiceTokenInput = { clientId: 'nobody', clientSecret: 'wrong', audience: 'latchkey' };
 * await kit.auth.serviceTokens.issue(input); // →! AuthError
 * ```
 */
export type ServiceTokenInput = z.input<typeof serviceTokenInput>;

/**
 * A token of a service with its scopes.
 * @example
 * ```ts
 * serviceTokenView.shape.tokenType.value; // → 'Service'
 * ```
 */
export const serviceTokenView = z
  .object({
    serviceToken: z.string(),
    tokenType: z.literal('Service'),
    /** Seconds. */
    expiresIn: z.int(),
    scope: z.string(),
  })
  .meta({ id: 'ServiceToken' });
/**
 * A token of a service: good for `expiresIn` seconds, for the scopes in `scope`, which spaces separate.
 * @example
 * ```ts
 * const scopesOf = ({ scope }: ServiceTokenView): string[] => scope.split(' ');
 * const token = { serviceToken: 'eyJ…', tokenType: 'Service', expiresIn: 600 } as const;
 * scopesOf({ ...token, scope: 'internal:read internal:write' }); // → ['internal:read', 'internal:write']
 * ```
 */
export type ServiceTokenView = z.output<typeof serviceTokenView>;
