import {
  loginInput,
  refreshTokenInput,
  registerInput,
  registration,
  signInResult,
  statusOk,
  tokenPair,
} from '@latchkey/core/schemas';
import { anyone } from '../../callers/anyone.js';
import { route } from '../../routing/route.js';
import { SIGN_IN_FAILURES } from './sign-in-failures.js';

export const register = route({
  method: 'post',
  path: '/auth/register',
  operationId: 'register',
  tag: 'Sign-in',
  summary: 'Register an account',
  description:
    'The account can be used once an administrator has approved it; with `REGISTRATION_APPROVAL=verified` once the link in the mail has been used; with `none` at once.',
  failures: ['registration_disabled', 'forbidden', 'conflict'],
  limit: 'public-login',
  hashesPassword: true,
  precondition: (auth) => auth.registration.assertEnabled(),
  caller: anyone,
  body: registerInput,
  newPassword: 'password',
  reply: registration,
  status: 201,
  handle: ({ auth, body, client }) => auth.registration.register(body, client),
});

export const login = route({
  method: 'post',
  path: '/auth/login',
  operationId: 'login',
  tag: 'Sign-in',
  summary: 'Sign in with email and password',
  description:
    'Returns a short-lived access token and a refresh token. A sign-in that requires a second factor returns `secondFactor` and no tokens; clients check which one they got, and complete the sign-in at `POST /auth/login/second-factor`, or with a passkey.',
  failures: [...SIGN_IN_FAILURES, 'forbidden', 'not_implemented'],
  limit: 'public-login',
  hashesPassword: true,
  caller: anyone,
  body: loginInput,
  reply: signInResult,
  issuesTokens: true,
  handle: ({ auth, body, client }) => auth.login.withPassword(body, client),
});

export const refresh = route({
  method: 'post',
  path: '/auth/refresh',
  operationId: 'refreshSession',
  tag: 'Sign-in',
  summary: 'Renew the tokens of a session',
  description:
    'A refresh token can be used once; concurrent requests get the same successor. 401 `session_revoked` for a session that has ended.',
  failures: [...SIGN_IN_FAILURES, 'session_revoked'],
  caller: anyone,
  body: refreshTokenInput,
  reply: tokenPair,
  issuesTokens: true,
  takesRefreshToken: true,
  handle: ({ auth, body, client }) => auth.refresh.refresh(body.refreshToken, client),
});

export const logout = route({
  method: 'post',
  path: '/auth/logout',
  operationId: 'logout',
  tag: 'Sign-in',
  summary: 'Sign out',
  description: 'Ends the session of the refresh token. The response is the same for an unknown token.',
  caller: anyone,
  body: refreshTokenInput,
  reply: statusOk,
  takesRefreshToken: true,
  endsOwnSession: () => true,
  handle: ({ auth, body, client }) => auth.sessions.logout(body.refreshToken, client),
});
