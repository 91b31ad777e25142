import {
  EXPORT_MAX_AGE,
  ownProfile,
  personalData,
  profilePatchInput,
  profileView,
} from '@latchkey/core/schemas';
import { signedIn, signedInMember } from '../../callers/signed-in.js';
import { route } from '../../routing/route.js';

export const me = route({
  method: 'get',
  path: '/auth/me',
  operationId: 'getMe',
  tag: 'Account',
  summary: 'Get the signed-in user',
  description: 'Profile, roles and memberships, and the session of the access token.',
  caller: signedInMember,
  reply: ownProfile,
  handle: ({ auth, caller }) => auth.profile.own(caller),
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
