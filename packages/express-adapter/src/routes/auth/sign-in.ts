import {
  loginInput,
  refreshTokenInput,
  registerInput,
  registration,
  statusOk,
  tokenPair,
} from '@latchkey/core/schemas';
import { anyone } from '../../callers/anyone.js';
import { route } from '../../http/route.js';

export const register = route({
  method: 'post',
  path: '/auth/register',
  summary: 'Register; the account then waits for approval, unless none is needed',
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
  summary: 'Sign in with email and password',
  limit: 'public-login',
  hashesPassword: true,
  caller: anyone,
  body: loginInput,
  reply: tokenPair,
  issuesTokens: true,
  handle: ({ auth, body, client }) => auth.login.withPassword(body, client),
});

export const refresh = route({
  method: 'post',
  path: '/auth/refresh',
  summary: 'Exchange a refresh token for its successor and a fresh access token',
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
  summary: 'End the session of a refresh token',
  caller: anyone,
  body: refreshTokenInput,
  reply: statusOk,
  takesRefreshToken: true,
  endsOwnSession: () => true,
  handle: ({ auth, body, client }) => auth.sessions.logout(body.refreshToken, client),
});
