import { AuthError, type Auth } from '@latchkey/core';
import {
  finishMailedSignInInput,
  mailedSignInRequestInput,
  signInResult,
  statusOk,
} from '@latchkey/core/schemas';
import { anyone } from '../../callers/anyone.js';
import { route, type Route } from '../../routing/route.js';
import { SIGN_IN_FAILURES } from './sign-in-failures.js';

/** While users may not sign in by mail, the routes respond with 404. */
const offered = (auth: Auth): boolean => auth.mailedSignIn !== undefined;

function mailedSignInOf({ mailedSignIn }: Auth): NonNullable<Auth['mailedSignIn']> {
  if (!mailedSignIn) throw AuthError.notFound('The endpoint', 'endpoint_not_found');
  return mailedSignIn;
}

const request = route({
  method: 'post',
  path: '/auth/login/mail',
  operationId: 'requestMailedSignIn',
  tag: 'Sign-in',
  summary: 'Request a mail that signs in',
  description:
    'The mail has a link and a code. The client makes a verifier of 43 to 128 characters, keeps it, and sends its S256 challenge: neither is worth anything without it. The response is the same whether or not an account has the address; staff get no mail.',
  offered,
  limit: 'anonymous-write',
  atMost: '3 mails an hour and account',
  caller: anyone,
  body: mailedSignInRequestInput,
  reply: statusOk,
  handle: ({ auth, body, client }) => mailedSignInOf(auth).request(body, client),
});

const finish = route({
  method: 'post',
  path: '/auth/login/mail/finish',
  operationId: 'finishMailedSignIn',
  tag: 'Sign-in',
  summary: 'Sign in with the code or the link of the mail',
  description:
    'Takes the verifier with either `code` or the `token` of the link, within 15 minutes. Returns tokens, or `secondFactor` if one is required. Both end together: with the sign-in, and with the fifth wrong code.',
  failures: [...SIGN_IN_FAILURES, 'forbidden'],
  offered,
  limit: 'public-login',
  caller: anyone,
  body: finishMailedSignInInput,
  reply: signInResult,
  issuesTokens: true,
  handle: ({ auth, body, client }) => mailedSignInOf(auth).finish(body, client),
});

/** The routes of sign-ins by mail. */
export const mailedSignInRoutes: Route[] = [request, finish];
