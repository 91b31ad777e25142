import { z } from 'zod';
import { AuthError, type Auth } from '@latchkey/core';
import { removedTrustedDevices, trustedDeviceView } from '@latchkey/core/schemas';
import { signedIn } from '../../callers/signed-in.js';
import { idOf } from '../../exchange/request-input.js';
import { route, type Route } from '../../routing/route.js';

/** The routes of trusted devices respond with 404 while no device can be trusted. */
export const offeredWithTrust = { offered: (auth: Auth): boolean => auth.trustedDevices !== undefined };

function trustedDevicesOf({ trustedDevices }: Auth): NonNullable<Auth['trustedDevices']> {
  if (!trustedDevices) throw AuthError.notFound('The endpoint', 'endpoint_not_found');
  return trustedDevices;
}

const list = route({
  method: 'get',
  path: '/auth/trusted-devices',
  operationId: 'listTrustedDevices',
  tag: 'Second factor',
  summary: 'List the trusted devices of the signed-in user',
  description: 'The browsers on which the user is not asked for a second factor, newest first; at most ten.',
  caller: signedIn,
  reply: z.array(trustedDeviceView),
  ...offeredWithTrust,
  handle: ({ auth, caller }) => trustedDevicesOf(auth).list(caller),
});

const removeAll = route({
  method: 'delete',
  path: '/auth/trusted-devices',
  operationId: 'removeTrustedDevices',
  tag: 'Second factor',
  summary: 'Remove all trusted devices of the signed-in user',
  description: 'The next sign-in on each of them asks for a second factor. Sessions stay active.',
  refusedWhileActing: true,
  caller: signedIn,
  reply: removedTrustedDevices,
  ...offeredWithTrust,
  handle: ({ auth, caller, client }) => trustedDevicesOf(auth).removeAll(caller, client),
});

const remove = route({
  method: 'delete',
  path: '/auth/trusted-devices/{id}',
  operationId: 'removeTrustedDevice',
  tag: 'Second factor',
  summary: 'Remove a trusted device',
  description: 'The next sign-in there asks for a second factor. Sessions stay active.',
  failures: ['not_found'],
  refusedWhileActing: true,
  caller: signedIn,
  params: idOf('trusted device'),
  reply: removedTrustedDevices,
  ...offeredWithTrust,
  handle: ({ auth, caller, params, client }) => trustedDevicesOf(auth).remove(caller, params.id, client),
});

/** The routes of the caller's own trusted devices. */
export const trustedDeviceRoutes: Route[] = [list, removeAll, remove];
