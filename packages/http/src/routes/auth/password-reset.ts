import { passwordResetConfirmInput, passwordResetRequestInput, statusOk } from '@latchkey/core/schemas';
import { anyone } from '../../callers/anyone.js';
import { route } from '../../routing/route.js';

export const requestPasswordReset = route({
  method: 'post',
  path: '/auth/password-reset/request',
  operationId: 'requestPasswordReset',
  tag: 'Sign-in',
  summary: 'Request a password reset mail',
  description: 'The response is the same whether or not an account has the address.',
  failures: ['not_implemented'],
  limit: 'anonymous-write',
  caller: anyone,
  body: passwordResetRequestInput,
  reply: statusOk,
  handle: ({ auth, body, client }) => auth.passwordReset.request(body, client),
});

export const confirmPasswordReset = route({
  method: 'post',
  path: '/auth/password-reset/confirm',
  operationId: 'confirmPasswordReset',
  tag: 'Sign-in',
  summary: 'Set a new password with the token from the mail',
  description:
    'Ends all sessions, removes all passkeys and invalidates other reset links. 400 for a token that is unknown, used or expired, and for a password that is too weak.',
  hashesPassword: true,
  limit: 'mailed-token',
  caller: anyone,
  body: passwordResetConfirmInput,
  newPassword: 'newPassword',
  reply: statusOk,
  handle: ({ auth, body, client }) => auth.passwordReset.confirm(body, client),
});
