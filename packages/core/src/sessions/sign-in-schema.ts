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
  })
  .meta({ id: 'SecondFactorChallenge' });

/**
 * Reply of a sign-in that needs a second factor: no tokens, and a challenge to complete it with.
 * @example
 * ```ts
 * const secondFactor = { challenge: 'c', methods: ['passkey'], expiresIn: 300 };
 * secondFactorRequired.parse({ secondFactor, accessToken: 'never' }); // → { secondFactor }
 * ```
 */
export const secondFactorRequired = z
  .object({ secondFactor: secondFactorChallenge })
  .meta({ id: 'SecondFactorRequired' });
/**
 * A sign-in that needs a second factor: there is no session yet.
 * @example
 * ```ts
 * const titleOf = ({ secondFactor }: SecondFactorRequired): string =>
 *   secondFactor.enrol ? 'Set up a second factor' : `Continue with ${secondFactor.methods.join(' or ')}`;
 * titleOf({ secondFactor: { challenge: 'c', methods: ['passkey'], expiresIn: 300 } }); // → 'Continue with passkey'
 * ```
 */
export type SecondFactorRequired = z.output<typeof secondFactorRequired>;

/**
 * Reply of a sign-in: the tokens of a new session, or the request for a second factor.
 * @example
 * ```ts
 * const { email, password } = await kit.user();
 * const result = await kit.auth.login.withPassword({ email, password });
 * signInResult.parse({ ...result, passwordHash: 'never' }); // → result
 * ```
 */
export const signInResult = z.union([tokenPair, secondFactorRequired]);
/**
 * Result of a sign-in. Check for `accessToken` before using the tokens: without it, there is no session yet.
 * @example
 * ```ts
 * const stateOf = (result: SignInResult): string => ('accessToken' in result ? 'signed in' : 'one step left');
 * const { email, password } = await kit.user();
 * stateOf(await kit.auth.login.withPassword({ email, password })); // → 'signed in'
 * ```
 */
export type SignInResult = z.output<typeof signInResult>;
