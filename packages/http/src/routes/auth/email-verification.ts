import {
  rejectRegistrationInput,
  resendVerificationInput,
  statusOk,
  verificationPreview,
  verificationTokenInput,
  verifyEmailInput,
} from '@latchkey/core/schemas';
import { anyone } from '../../callers/anyone.js';
import { route } from '../../routing/route.js';

const previewVerification = route({
  method: 'post',
  path: '/auth/email/verify/preview',
  operationId: 'previewVerification',
  tag: 'Sign-in',
  summary: 'Get the email address that the link of a registration mail confirms',
  description:
    'For the page behind the mailed link. Changes nothing, and the token stays usable. 400 for a token that is unknown, used or expired.',
  limit: 'mailed-token',
  caller: anyone,
  body: verificationTokenInput,
  reply: verificationPreview,
  handle: ({ auth, body }) => auth.emailVerification.preview(body),
});

const verifyEmail = route({
  method: 'post',
  path: '/auth/email/verify',
  operationId: 'verifyEmail',
  tag: 'Sign-in',
  summary: 'Confirm an email address with the token from the registration mail',
  description:
    'If staff decide on registrations, the token is enough. Otherwise `password` is required: the password chosen at registration, or a new one, which replaces it. Without it, 400 names the field, and the token stays usable. 400 for a token that is unknown, used or expired, and for a new password that is too weak.',
  hashesPassword: true,
  limit: 'mailed-token',
  caller: anyone,
  body: verifyEmailInput,
  newPassword: 'password',
  reply: statusOk,
  handle: ({ auth, body, client }) => auth.emailVerification.verify(body, client),
});

const resendVerification = route({
  method: 'post',
  path: '/auth/email/verify/resend',
  operationId: 'resendVerification',
  tag: 'Sign-in',
  summary: 'Request the mail of a registration again',
  description:
    'The response is the same whether or not an account has the address. A mail is sent while the mailbox is not proved, at most three an hour.',
  limit: 'anonymous-write',
  caller: anyone,
  body: resendVerificationInput,
  reply: statusOk,
  handle: ({ auth, body, client }) => auth.emailVerification.resend(body, client),
});

const rejectRegistration = route({
  method: 'post',
  path: '/auth/email/verify/reject',
  operationId: 'rejectRegistration',
  tag: 'Sign-in',
  summary: 'Delete a registration with the second token from its mail',
  description:
    'For the owner of the mailbox who did not register. The registration must still be pending, and not confirmed. 400 for a token that is unknown, used or expired.',
  limit: 'mailed-token',
  caller: anyone,
  body: rejectRegistrationInput,
  reply: statusOk,
  handle: ({ auth, body, client }) => auth.emailVerification.reject(body, client),
});

/** The routes of the links in a registration mail. */
export const emailVerificationRoutes = [
  previewVerification,
  verifyEmail,
  resendVerification,
  rejectRegistration,
];
