import type { Administrator } from '@latchkey/core';
import { removePictureInput, statusOk } from '@latchkey/core/schemas';
import type { Caller } from '../../callers/caller.js';
import { idOf } from '../../exchange/request-input.js';
import { route, type Route } from '../../routing/route.js';
import { people, type Audience } from '../../routing/tag.js';

/** The removal of a user's picture, for one of its two mounts. */
export const removePictureRoute = (
  prefix: string,
  caller: Caller<Administrator>,
  audience: Audience,
): Route =>
  route({
    method: 'delete',
    path: `${prefix}/{id}/picture`,
    operationId: audience.named('removeUserPicture'),
    tag: audience.tagged('Users'),
    summary: 'Remove the uploaded picture of a user',
    description:
      'Its address ends, and the profile has no picture. Also while users may upload none. 404 if the user has uploaded none. Staff may ' +
      'do this for users below their own role.',
    failures: ['not_found'],
    caller,
    ...(audience === people && { refusedWhileActing: true }),
    params: idOf('user'),
    body: removePictureInput,
    bodyOptional: true,
    reply: statusOk,
    handle: ({ auth, caller: administrator, params, body, client }) =>
      auth.admin.pictures.remove(administrator, params.id, body, client),
  });
