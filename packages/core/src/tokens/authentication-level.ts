/**
 * Values of the `acr` claim: the assurance levels of NIST SP 800-63B that a sign-in with one factor and with two factors has.
 */
export const AUTHENTICATION_LEVELS = ['aal1', 'aal2'] as const;
/** The level of a sign-in: `aal1` with one factor, `aal2` with two. */
export type AuthenticationLevel = (typeof AUTHENTICATION_LEVELS)[number];

/**
 * Returns the level of a verified token. Tokens of versions without the claim have none: there a passkey was the
 * only second factor.
 */
export function levelOfClaims(acr: unknown, amr: readonly string[]): AuthenticationLevel {
  if (acr === undefined) return amr.includes('hwk') ? 'aal2' : 'aal1';
  return acr === 'aal2' ? 'aal2' : 'aal1';
}
