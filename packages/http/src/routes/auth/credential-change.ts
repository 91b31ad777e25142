import { CREDENTIAL_MAX_AGE } from '@latchkey/core/schemas';
import type { RouteStepUp } from '../../routing/route.js';

/** The sign-in that a route requires which changes how the caller signs in. */
export const changesCredentials: RouteStepUp = {
  maxAge: CREDENTIAL_MAX_AGE,
  factorMaxAge: CREDENTIAL_MAX_AGE,
};

/** The same for a route whose request, or the one before it, proves the password: users without a factor need no more. */
export const changesCredentialsByPassword: RouteStepUp = { factorMaxAge: CREDENTIAL_MAX_AGE };
