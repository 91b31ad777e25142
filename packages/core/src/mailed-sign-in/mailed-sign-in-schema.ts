import { z } from 'zod';
import { challengeInput, verifierInput } from '../kernel/verifier-input.js';
import { emailInput } from '../users/user-schema.js';

/** The address to which a sign-in is mailed, and the challenge of the client that asks. */
export const mailedSignInRequestInput = z.object({ email: emailInput, challenge: challengeInput });
/** Input of `auth.mailedSignIn.request`; the response is the same for an unknown address. */
export type MailedSignInRequest = z.input<typeof mailedSignInRequestInput>;

/** The code or the token of a mail, and the verifier of the client that asked for it. */
export const finishMailedSignInInput = z.object({
  verifier: verifierInput,
  /** The code of the mail, in any case, with or without its hyphen. */
  code: z.string().min(1).max(64).optional(),
  /** The token of the link; in place of the code. */
  token: z.string().min(1).max(256).optional(),
});
/** Input of `auth.mailedSignIn.finish`: the verifier, and either the code or the token of the mail. */
export type FinishMailedSignIn = z.input<typeof finishMailedSignInInput>;
