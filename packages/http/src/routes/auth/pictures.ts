import { z } from 'zod';
import { AuthError, type Auth } from '@latchkey/core';
import {
  PICTURE_TYPES,
  pictureIdInput,
  profilePictureInput,
  profilePictureView,
  statusOk,
} from '@latchkey/core/schemas';
import { signedIn } from '../../callers/signed-in.js';
import { fileRoute } from '../../routing/file-route.js';
import { route, type Route } from '../../routing/route.js';

/** A browser keeps a picture that was removed for a day at most. */
const KEEP_SECONDS = 86_400;

/** While users may upload no picture, the routes respond with 404. */
const offered = (auth: Auth): boolean => auth.profilePictures !== undefined;

function picturesOf({ profilePictures }: Auth): NonNullable<Auth['profilePictures']> {
  if (!profilePictures) throw AuthError.notFound('The endpoint', 'endpoint_not_found');
  return profilePictures;
}

const setPicture = route({
  method: 'put',
  path: '/auth/me/picture',
  operationId: 'setPicture',
  tag: 'Account',
  summary: 'Upload a picture of the signed-in user',
  description:
    'WebP, JPEG or PNG in base64, at most 64 KiB, 32 to 512 pixels wide and high, without animation. Metadata is removed. ' +
    '`profilePictureUrl` of the profile then has the address of the picture, which is new for each upload; the former picture is gone.',
  atMost: '20 an hour and user',
  offered,
  refusedWhileActing: true,
  caller: signedIn,
  body: profilePictureInput,
  reply: profilePictureView,
  handle: ({ auth, caller, body, client }) => picturesOf(auth).set(caller, body, client),
});

const removePicture = route({
  method: 'delete',
  path: '/auth/me/picture',
  operationId: 'removePicture',
  tag: 'Account',
  summary: 'Remove the uploaded picture of the signed-in user',
  description: 'Its address ends, and the profile has no picture. 404 if there is none.',
  offered,
  refusedWhileActing: true,
  caller: signedIn,
  reply: statusOk,
  handle: ({ auth, caller, client }) => picturesOf(auth).remove(caller, client),
});

const readPicture = fileRoute({
  path: '/auth/pictures/{pictureId}',
  operationId: 'getPicture',
  tag: 'Account',
  summary: 'Get an uploaded picture',
  description:
    'The file itself, for `<img>`. The address is its own credential: 128 random bits, which are in `profilePictureUrl` only. 404 once ' +
    'the picture was replaced or removed.',
  offered,
  params: z.object({ pictureId: pictureIdInput }),
  types: PICTURE_TYPES,
  keepSeconds: KEEP_SECONDS,
  handle: async ({ auth, params }) => {
    const { content, contentType: type } = await picturesOf(auth).read(params.pictureId);
    return { type, name: type.replace('image/', 'picture.'), content };
  },
});

/** The routes of uploaded pictures. */
export const pictureRoutes: Route[] = [setPicture, removePicture, readPicture];
