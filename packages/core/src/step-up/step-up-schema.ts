import { z } from 'zod';
import { externalProofInput } from '../external-sign-in/external-schema.js';
import { passkeyLoginInput } from '../passkeys/passkey-schema.js';
import { tokenPair } from '../sessions/session-schema.js';
import { passwordInput } from '../users/user-schema.js';

/** Longer than any code with spaces and hyphens. */
const MAX_CODE = 64;

/** Schema of a proof of identity. */
export const stepUpInput = z
  .object({
    /** The current password. */
    password: passwordInput.optional(),
    /** The code of an authenticator app. */
    code: z.string().min(1).max(MAX_CODE).optional(),
    /** A recovery code, which is then used. */
    recoveryCode: z.string().min(1).max(MAX_CODE).optional(),
    /** The response of a passkey, to the options of a step-up. */
    credential: passkeyLoginInput.shape.credential.optional(),
    /** The response of a provider, in a flow that this session began for it. */
    external: externalProofInput.optional(),
  })
  .meta({ minProperties: 1, maxProperties: 1 });
/** Input of `auth.stepUp.confirm`: a proof of identity, in exactly one field. */
export type StepUpInput = z.input<typeof stepUpInput>;

/** Reply of a step-up: another access token of the same session. */
export const raisedToken = tokenPair.pick({ accessToken: true, expiresIn: true }).meta({ id: 'RaisedToken' });
/** The access token of a step-up. The refresh token of the session stays valid. */
export type RaisedToken = z.output<typeof raisedToken>;
