import { z } from 'zod';
import { tokenPair } from '../sessions/session-schema.js';

/** Reply of a sign-in with a new factor. */
export const enrolledTokens = tokenPair
  .extend({ recoveryCodes: z.array(z.string()) })
  .meta({ id: 'EnrolledTokens' });
/** The tokens of a session that a new second factor has completed, and recovery codes, shown this once. */
export type EnrolledTokens = z.output<typeof enrolledTokens>;
