/**
 * Values of the `acr` claim: the assurance levels of NIST SP 800-63B that a sign-in with one factor and with two factors has.
 */
export const AUTHENTICATION_LEVELS = ['aal1', 'aal2'] as const;
/** The level of a sign-in: `aal1` with one factor, `aal2` with two. */
export type AuthenticationLevel = (typeof AUTHENTICATION_LEVELS)[number];
