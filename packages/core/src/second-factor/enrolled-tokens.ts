import { z } from 'zod';
import { tokenPair } from '../sessions/session-schema.js';

/**
 * Reply of a sign-in with a new factor: the tokens, and the recovery codes that come with the factor.
 * @example
 * ```ts
 * const tokens = { accessToken: 'a', refreshToken: 'r', expiresIn: 900, tokenType: 'Bearer' };
 * enrolledTokens.parse({ ...tokens, recoveryCodes: ['c'] }).recoveryCodes; // → ['c']
 * ```
 */
export const enrolledTokens = tokenPair
  .extend({ recoveryCodes: z.array(z.string()) })
  .meta({ id: 'EnrolledTokens' });
/**
 * The tokens of a session that a new second factor has completed, and recovery codes, shown this once.
 * @example
 * ```ts
 * const codesOf = ({ recoveryCodes }: EnrolledTokens): string => recoveryCodes.join('\n');
 * codesOf({ accessToken: 'a', refreshToken: 'r', expiresIn: 900, tokenType: 'Bearer', recoveryCodes: [] }); // → ''
 * ```
 */
export type EnrolledTokens = z.output<typeof enrolledTokens>;
