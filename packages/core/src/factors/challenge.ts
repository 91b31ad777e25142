/** Seconds in which a sign-in can be completed. */
export const CHALLENGE_SECONDS = 300;
/** Number of wrong proofs that ends a challenge. */
export const MAX_CHALLENGE_ATTEMPTS = 5;
/** Number of wrong codes of an account in an hour, over all challenges, after which only recovery codes are accepted. */
export const MAX_WRONG_CODES = 20;

const HOUR = 3600;
/** Seconds for which wrong codes count: the codes of a challenge are younger than the challenge. */
export const WRONG_CODES_SECONDS = HOUR + CHALLENGE_SECONDS;

export const CHALLENGE_PREFIX = 'lkc_';
