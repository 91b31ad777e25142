import type { AuthenticatedKey } from '@latchkey/core';
import {
  businessUnitInput,
  CREDENTIAL_MAX_AGE,
  EXPORT_MAX_AGE,
  ownProfile,
  personalData,
  profilePatchInput,
  profileView,
  statusOk,
} from '@latchkey/core/schemas';
import { notWithApiKey } from '../../callers/api-key.js';
import { memberOrPersonalKey } from '../../callers/key-holder.js';
import { signedIn } from '../../callers/signed-in.js';
import { route } from '../../routing/route.js';

export const me = route({
  method: 'get',
  path: '/auth/me',
  operationId: 'getMe',
  tag: 'Account',
  summary: 'Get the signed-in user',
  description:
    'Profile, roles and memberships, and the session of the access token. With a personal API key: the profile alone.',
  caller: memberOrPersonalKey,
  reply: ownProfile,
  handle: ({ auth, caller }) =>
    caller.kind === 'api-key' ? auth.profile.ofKey(ownerOf(caller)) : auth.profile.own(caller),
});

export const patchMe = route({
  method: 'patch',
  path: '/auth/me',
  operationId: 'updateMe',
  tag: 'Account',
  summary: 'Change the profile of the signed-in user',
  description: 'An empty string clears a phone number, picture or language. At least one field is required.',
  caller: signedIn,
  body: profilePatchInput,
  reply: profileView,
  handle: ({ auth, caller, body, client }) => auth.profile.update(caller.userId, body, client),
});

export const exportMe = route({
  method: 'get',
  path: '/auth/me/export',
  operationId: 'exportMe',
  tag: 'Account',
  summary: 'Get everything that is kept about the signed-in user',
  description:
    'One document: profile, memberships, sessions, passkeys and second factors without their keys, devices, mails, invitations, changes of the address, and the audit entries about the user. Of long lists the newest rows are returned; `limits` and `isComplete` say so.',
  atMost: '10 an hour and user',
  caller: signedIn,
  stepUp: { maxAge: EXPORT_MAX_AGE },
  reply: personalData,
  handle: ({ auth, caller, client }) => auth.personalData.export(caller, client),
});

export const leaveCompany = route({
  method: 'delete',
  path: '/auth/me/memberships/{companyId}',
  operationId: 'leaveCompany',
  tag: 'Account',
  summary: 'Leave a company',
  description:
    'Ends the own membership, those of the business units of the company, and open invitations that the user may no longer ' +
    'offer. 409, reason `last_company_superadmin`, for the last `TENANT_SUPERADMIN` of the company.',
  failures: ['not_found', 'conflict'],
  stepUp: { maxAge: CREDENTIAL_MAX_AGE, factorMaxAge: CREDENTIAL_MAX_AGE },
  caller: signedIn,
  params: businessUnitInput.pick({ companyId: true }),
  reply: statusOk,
  handle: ({ auth, caller, params, client }) => auth.memberships.leave(caller, params.companyId, client),
});

/** @throws AuthError `forbidden` for a key of a company, which the caller of the route refuses. */
function ownerOf({ user, sessionId }: AuthenticatedKey) {
  if (!user) throw notWithApiKey();
  return { user, sessionId };
}
