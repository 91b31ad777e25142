import { statusOk, verifyEmailInput } from '@latchkey/core/schemas';
import { anyone } from '../../callers/anyone.js';
import { route } from '../../http/route.js';

export const verifyEmail = route({
  method: 'post',
  path: '/auth/email/verify',
  operationId: 'verifyEmail',
  tag: 'Sign-in',
  summary: 'Confirm a registration with the token from the mail',
  description:
    'With `REGISTRATION_APPROVAL=verified`. Requires the password chosen at registration, or a new one, which replaces it. The account can then be used. 400 for a token that is unknown, used or expired, and for a new password that is too weak.',
  hashesPassword: true,
  caller: anyone,
  body: verifyEmailInput,
  newPassword: 'password',
  reply: statusOk,
  handle: ({ auth, body, client }) => auth.emailVerification.verify(body, client),
});
