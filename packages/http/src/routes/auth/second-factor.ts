import {
  confirmAtSignInInput,
  enrolAtSignInInput,
  enrolledTokens,
  secondFactorInput,
  tokenPair,
  totpEnrolment,
} from '@latchkey/core/schemas';
import { anyone } from '../../callers/anyone.js';
import { route, type Route } from '../../routing/route.js';
import { factorsOf, offeredWithFactors } from './factors-of.js';
import { SIGN_IN_FAILURES } from './sign-in-failures.js';

const complete = route({
  method: 'post',
  path: '/auth/login/second-factor',
  operationId: 'completeLogin',
  tag: 'Sign-in',
  summary: 'Complete a sign-in with a second factor',
  description:
    'Takes the challenge of the sign-in, and a code of an authenticator app or a recovery code. A challenge lasts five minutes, accepts five proofs, and ends when the account changes: 401, sign in again. After 20 wrong codes in an hour, or 100 in a row, the account accepts recovery codes only: 429.',
  failures: [...SIGN_IN_FAILURES],
  limit: 'public-login',
  caller: anyone,
  body: secondFactorInput,
  reply: tokenPair,
  issuesTokens: true,
  ...offeredWithFactors,
  handle: ({ auth, body, client }) => factorsOf(auth).signIn.complete(body, client),
});

const enrol = route({
  method: 'post',
  path: '/auth/login/second-factor/enrol',
  operationId: 'beginLoginEnrolment',
  tag: 'Sign-in',
  summary: 'Set up the second factor that a sign-in requires',
  description:
    'For a challenge with `enrol`. Returns the secret of a new authenticator app, as text and as QR code. It is not used until it is confirmed.',
  failures: ['unauthorized'],
  limit: 'public-login',
  caller: anyone,
  body: enrolAtSignInInput,
  reply: totpEnrolment,
  ...offeredWithFactors,
  handle: ({ auth, body, client }) => factorsOf(auth).signIn.beginEnrolment(body, client),
});

const confirmEnrolment = route({
  method: 'post',
  path: '/auth/login/second-factor/enrol/confirm',
  operationId: 'confirmLoginEnrolment',
  tag: 'Sign-in',
  summary: 'Complete a sign-in with a new second factor',
  description:
    'Confirms the authenticator app with a code of it, and returns tokens and recovery codes. Other sign-ins that wait for a second factor end.',
  failures: [...SIGN_IN_FAILURES, 'not_found'],
  limit: 'public-login',
  caller: anyone,
  body: confirmAtSignInInput,
  reply: enrolledTokens,
  issuesTokens: true,
  ...offeredWithFactors,
  handle: ({ auth, body, client }) => factorsOf(auth).signIn.confirmEnrolment(body, client),
});

export const secondFactorRoutes: Route[] = [complete, enrol, confirmEnrolment];
