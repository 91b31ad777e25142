import { AuthError, type Auth } from '@latchkey/core';
import { requestedDeletion, sendUndoInput, statusOk, undoDeletionInput } from '@latchkey/core/schemas';
import { anyone } from '../../callers/anyone.js';
import { signedIn } from '../../callers/signed-in.js';
import { route, type Route } from '../../routing/route.js';
import { changesCredentials } from './credential-change.js';

/** While users may not delete their own account, the routes respond with 404. */
const offered = (auth: Auth): boolean => auth.accountDeletion !== undefined;

function accountDeletionOf({ accountDeletion }: Auth): NonNullable<Auth['accountDeletion']> {
  if (!accountDeletion) throw AuthError.notFound('The endpoint', 'endpoint_not_found');
  return accountDeletion;
}

const deleteMe = route({
  method: 'delete',
  path: '/auth/me',
  operationId: 'deleteMe',
  tag: 'Account',
  summary: 'Delete the account of the signed-in user',
  description:
    'All sessions and personal API keys end at once, and no way in works any more. For seven days, until `deleteAt`, the link of a mail ' +
    'undoes it; then the personal data is erased. 409, reason `deletion_of_staff`, for staff; reason `last_company_superadmin` for the ' +
    'last `TENANT_SUPERADMIN` of a company.',
  failures: ['conflict'],
  offered,
  stepUp: changesCredentials,
  caller: signedIn,
  reply: requestedDeletion,
  endsOwnSession: () => true,
  handle: ({ auth, caller, client }) => accountDeletionOf(auth).request(caller, client),
});

const undo = route({
  method: 'post',
  path: '/auth/me/deletion/undo',
  operationId: 'undoDeletion',
  tag: 'Account',
  summary: 'Keep an account with the token from the mail about its deletion',
  description:
    'The user can sign in again. Memberships, passkeys, second factors and linked accounts are as before; sessions and personal API keys stay ended. 400 for a token that is unknown, used or expired.',
  offered,
  limit: 'mailed-token',
  caller: anyone,
  body: undoDeletionInput,
  reply: statusOk,
  handle: ({ auth, body, client }) => accountDeletionOf(auth).undo(body, client),
});

const sendLink = route({
  method: 'post',
  path: '/auth/me/deletion/undo/send',
  operationId: 'sendUndoDeletion',
  tag: 'Account',
  summary: 'Send the link that keeps an account again',
  description: 'The response is the same whether or not an account with the address is about to be deleted.',
  offered,
  limit: 'anonymous-write',
  atMost: '3 mails an hour and account',
  caller: anyone,
  body: sendUndoInput,
  reply: statusOk,
  handle: ({ auth, body, client }) => accountDeletionOf(auth).sendLink(body, client),
});

/** The routes by which users delete their own account. */
export const accountDeletionRoutes: Route[] = [deleteMe, undo, sendLink];
