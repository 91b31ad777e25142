import { z } from 'zod';
import { passkeyRequestOptions, raisedToken, stepUpInput } from '@latchkey/core/schemas';
import { signedIn } from '../../callers/signed-in.js';
import { route } from '../../routing/route.js';

export const stepUpOptions = route({
  method: 'post',
  path: '/auth/step-up/options',
  operationId: 'createStepUpOptions',
  tag: 'Step-up',
  summary: 'Start a step-up with a passkey',
  description:
    'Returns the options for `navigator.credentials.get`, for the passkeys of the user. They are bound to the session. 404 for a user without passkeys.',
  limit: 'public-login',
  refusedWhileActing: true,
  caller: signedIn,
  body: z.object({}),
  bodyOptional: true,
  reply: passkeyRequestOptions,
  offered: (auth) => auth.passkeys !== undefined,
  handle: ({ auth, caller }) => auth.stepUp.passkeyOptions(caller),
});

export const stepUp = route({
  method: 'post',
  path: '/auth/step-up',
  operationId: 'stepUp',
  tag: 'Step-up',
  summary: 'Prove the identity of the signed-in user again',
  description:
    'Takes exactly one proof and raises the session: a new time of the sign-in, and the methods of the proof. Returns an access token with both; the refresh token stays valid. 401 for a wrong proof; ten in a row end the session.',
  failures: ['conflict'],
  limit: 'public-login',
  refusedWhileActing: true,
  caller: signedIn,
  body: stepUpInput,
  reply: raisedToken,
  issuesTokens: true,
  handle: ({ auth, caller, body, client }) => auth.stepUp.confirm(caller, body, client),
});
