import { z } from 'zod';
import { tokenPair } from './session-schema.js';

const secondFactorChallenge = z
  .object({
    /** Identifies the sign-in that is to be completed. */
    challenge: z.string(),
    /** The methods that can complete it; empty when the user has none. */
    methods: z.array(z.string()),
    /** Seconds until the challenge expires. */
    expiresIn: z.int().min(1),
    /** True if the user must set up a second factor first. */
    enrol: z.boolean().optional(),
    /** Days for which this browser is not asked again, if the user trusts it with `trustDevice`; missing if that is not offered. */
    trustDeviceDays: z.int().min(1).optional(),
  })
  .meta({ id: 'SecondFactorChallenge' });

/** Reply of a sign-in that needs a second factor. */
export const secondFactorRequired = z
  .object({ secondFactor: secondFactorChallenge })
  .meta({ id: 'SecondFactorRequired' });
/** A sign-in that needs a second factor: no session yet, only a challenge to complete it with. */
export type SecondFactorRequired = z.output<typeof secondFactorRequired>;

/** Reply of a sign-in. */
export const signInResult = z.union([tokenPair, secondFactorRequired]);
/**
 * Result of a sign-in: the tokens of a new session, or the request for a second factor. Check for `accessToken` before
 * using the tokens: without it, there is no session yet.
 */
export type SignInResult = z.output<typeof signInResult>;
