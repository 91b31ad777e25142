import { passwordResetConfirmInput, passwordResetRequestInput, statusOk } from '@latchkey/core/schemas';
import { anyone } from '../../callers/anyone.js';
import { route } from '../../http/route.js';

export const requestPasswordReset = route({
  method: 'post',
  path: '/auth/password-reset/request',
  summary: 'Ask for a mail with a link that sets a new password',
  limit: 'anonymous-write',
  caller: anyone,
  body: passwordResetRequestInput,
  reply: statusOk,
  handle: ({ auth, body, client }) => auth.passwordReset.request(body, client),
});

export const confirmPasswordReset = route({
  method: 'post',
  path: '/auth/password-reset/confirm',
  summary: 'Set a new password with the token of a reset mail; ends all sessions, removes all passkeys',
  hashesPassword: true,
  caller: anyone,
  body: passwordResetConfirmInput,
  newPassword: 'newPassword',
  reply: statusOk,
  handle: ({ auth, body, client }) => auth.passwordReset.confirm(body, client),
});
