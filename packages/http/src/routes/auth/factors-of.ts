import { AuthError, type Auth, type Factors } from '@latchkey/core';

/** The routes of second factors respond with 404 while these are off. */
export const offeredWithFactors = { offered: (auth: Auth): boolean => auth.factors !== undefined };

export function factorsOf({ factors }: Auth): Factors {
  if (!factors) throw AuthError.notFound('The endpoint', 'endpoint_not_found');
  return factors;
}
