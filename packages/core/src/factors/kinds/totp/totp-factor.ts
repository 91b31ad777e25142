/** Number of factors that a user may have set up. */
export const MAX_TOTP_FACTORS = 5;
/** Number of enrolments of a user that may wait for their confirmation. */
export const MAX_UNCONFIRMED_FACTORS = 5;
/** Seconds in which an enrolment can be confirmed. */
export const ENROLMENT_SECONDS = 600;

/** An authenticator app that the user has confirmed. */
export interface TotpFactor {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** Returns what a secret is encrypted for: it cannot be read in the row of another factor or user. */
export const placeOfSecret = (userId: string, factorId: string): string => `totp:${userId}:${factorId}`;
