import {
  emailChangePreview,
  emailChangeTokenInput,
  requestEmailChangeInput,
  statusOk,
} from '@latchkey/core/schemas';
import { anyone } from '../../callers/anyone.js';
import { signedIn } from '../../callers/signed-in.js';
import { route } from '../../routing/route.js';
import { changesCredentials } from './credential-change.js';

const requestEmailChange = route({
  method: 'post',
  path: '/auth/email/change',
  operationId: 'requestEmailChange',
  tag: 'Account',
  summary: 'Request another email address for the signed-in user',
  description:
    'A mail with a link goes to the new address; the response is the same if it is taken. A later request replaces an earlier one, at most three an hour.',
  failures: ['conflict'],
  atMost: 'three an hour and user',
  caller: signedIn,
  stepUp: changesCredentials,
  body: requestEmailChangeInput,
  reply: statusOk,
  handle: ({ auth, caller, body, client }) => auth.emailChange.request(caller, body, client),
});

const previewEmailChange = route({
  method: 'post',
  path: '/auth/email/change/preview',
  operationId: 'previewEmailChange',
  tag: 'Account',
  summary: 'Get the addresses that the mail to the new one is about',
  description:
    'For the page behind the mailed link. Changes nothing, and the token stays usable. 400 for a token that is unknown, used, expired or replaced.',
  limit: 'mailed-token',
  caller: anyone,
  body: emailChangeTokenInput,
  reply: emailChangePreview,
  handle: ({ auth, body }) => auth.emailChange.preview(body),
});

const confirmEmailChange = route({
  method: 'post',
  path: '/auth/email/change/confirm',
  operationId: 'confirmEmailChange',
  tag: 'Account',
  summary: 'Change the email address with the token from the mail to the new one',
  description:
    'Ends all sessions but the one that requested the change, and invalidates reset links. 400 for a token that is unknown, used, expired or replaced; 409 if the address is taken.',
  failures: ['conflict'],
  limit: 'mailed-token',
  caller: anyone,
  body: emailChangeTokenInput,
  reply: statusOk,
  handle: ({ auth, body, client }) => auth.emailChange.confirm(body, client),
});

const previewEmailChangeUndo = route({
  method: 'post',
  path: '/auth/email/change/undo/preview',
  operationId: 'previewEmailChangeUndo',
  tag: 'Account',
  summary: 'Get the addresses that the notice to the former one is about',
  description:
    'For the page behind the mailed link. Changes nothing, and the token stays usable. 400 for a token that is unknown, used or expired.',
  limit: 'mailed-token',
  caller: anyone,
  body: emailChangeTokenInput,
  reply: emailChangePreview,
  handle: ({ auth, body }) => auth.emailChange.previewUndo(body),
});

const undoEmailChange = route({
  method: 'post',
  path: '/auth/email/change/undo',
  operationId: 'undoEmailChange',
  tag: 'Account',
  summary: 'Restore the former email address with the token from the notice to it',
  description:
    'Ends all sessions, removes the second factors that were added since the change was requested, and voids the password: the next sign-in requires a password reset. 400 for a token that is unknown, used or expired.',
  failures: ['conflict'],
  limit: 'mailed-token',
  caller: anyone,
  body: emailChangeTokenInput,
  reply: statusOk,
  handle: ({ auth, body, client }) => auth.emailChange.undo(body, client),
});

/** The routes that change the email address of a user. */
export const emailChangeRoutes = [
  requestEmailChange,
  previewEmailChange,
  confirmEmailChange,
  previewEmailChangeUndo,
  undoEmailChange,
];
