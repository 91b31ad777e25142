import { z } from 'zod';
import type { ClientInfo } from '../kernel/client-info.js';
import { isPlainName } from '../kernel/plain-name.js';
import { uuidInput } from '../kernel/uuid-input.js';
import { AUTHENTICATION_LEVELS } from '../tokens/authentication-level.js';
import { APP_METHODS } from '../tokens/authentication-methods.js';

/** A proof of identity that the app around the service has verified itself. */
const appProof = z.strictObject({
  /** The app's name of the way in, for the audit log, such as `mailed link`: at most 80 characters, on one line. */
  method: z
    .string()
    .trim()
    .refine(isPlainName, 'must be a name of at most 80 letters, digits, spaces and hyphens'),
  /** Methods of RFC 8176 section 2, and `fed`. */
  amr: z
    .array(z.enum(APP_METHODS, `must be one of ${APP_METHODS.join(', ')}`))
    .min(1, 'must name at least one method')
    .max(APP_METHODS.length)
    .readonly()
    .transform((methods) => [...new Set(methods)]),
});

interface FromClient {
  /** The address and device of the user, for the session, the notice of a new device and the audit log. Defaults to unknown. */
  client?: ClientInfo | undefined;
}

/** A user that the app has identified, and how. */
export const appSignInInput = appProof.extend({
  userId: uuidInput,
  /** `aal2` if the proof has two factors: no second one is asked for then. Defaults to `aal1`. */
  acr: z.enum(AUTHENTICATION_LEVELS).default('aal1'),
  /**
   * True if the proof was sent to the email address that the account has now, such as a mailed link or code. The first proof of
   * the mailbox removes what another person may have set up: the password, second factors and sessions. Defaults to false.
   */
  provesMailbox: z.boolean().default(false),
});
/** Input of `auth.signIn.begin`: the user, the name of the app's own way in, and its methods. */
export type AppSignIn = z.input<typeof appSignInInput> & FromClient;

/** A session whose user the app has identified again, and how. */
export const appStepUpInput = appProof.extend({ sessionId: uuidInput });
/** Input of `auth.stepUp.confirmedBy`: the session, the name of the app's own proof, and its methods. */
export type AppStepUp = z.input<typeof appStepUpInput> & FromClient;
