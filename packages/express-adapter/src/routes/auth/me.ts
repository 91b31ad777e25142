import { ownProfile, profilePatchInput, profileView } from '@latchkey/core/schemas';
import { signedIn, signedInMember } from '../../callers/signed-in.js';
import { route } from '../../http/route.js';

export const me = route({
  method: 'get',
  path: '/auth/me',
  summary: 'Who am I?',
  caller: signedInMember,
  reply: ownProfile,
  handle: ({ auth, caller }) => auth.users.ownProfile(caller),
});

export const patchMe = route({
  method: 'patch',
  path: '/auth/me',
  summary: 'Change my profile',
  caller: signedIn,
  body: profilePatchInput,
  reply: profileView,
  handle: ({ auth, caller, body, client }) => auth.profile.update(caller.userId, body, client),
});
