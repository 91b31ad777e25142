import { z } from 'zod';
import type { Administrator } from '@latchkey/core';
import {
  removedTrustedDevices,
  resetFactors,
  resetFactorsInput,
  trustedDeviceView,
  userFactors,
} from '@latchkey/core/schemas';
import type { Caller } from '../../callers/caller.js';
import { staffOrSelf } from '../../callers/staff.js';
import { idOf } from '../../exchange/request-input.js';
import { route, type Route } from '../../routing/route.js';
import { people, type Audience } from '../../routing/tag.js';
import { offeredWithTrust } from '../auth/trusted-devices.js';

export const userFactorsRoute = route({
  method: 'get',
  path: '/internal/users/{id}/factors',
  operationId: 'getUserFactors',
  tag: 'Users',
  summary: 'Get the second factors of a user',
  description:
    'Authenticator apps, newest first, the numbers of unused recovery codes and of passkeys, and whether codes are blocked after 100 wrong ones in a row. A recovery code, a passkey, a new password or a removal of the factors ends that.',
  failures: ['not_found'],
  caller: staffOrSelf('read'),
  params: idOf('user'),
  reply: userFactors,
  handle: ({ auth, params }) => auth.admin.factors.ofUser(params.id),
});

/** The removal of a user's second factors, for one of its two mounts. */
export const resetFactorsRoute = (prefix: string, caller: Caller<Administrator>, audience: Audience): Route =>
  route({
    method: 'delete',
    path: `${prefix}/{id}/factors`,
    operationId: audience.named('resetUserFactors'),
    tag: audience.tagged('Users'),
    summary: 'Remove the second factors of a user',
    description:
      'For a user who has lost them, after the person was identified. Removes authenticator apps, recovery codes and passkeys, ends all sessions, and notifies the user by mail. The reason is kept in the audit log.',
    failures: ['not_found', 'conflict'],
    caller,
    ...(audience === people && { stepUp: { maxAge: 'STAFF_STEP_UP' as const } }),
    params: idOf('user'),
    body: resetFactorsInput,
    reply: resetFactors,
    handle: ({ auth, caller: administrator, params, body, client }) =>
      auth.admin.factors.reset(administrator, params.id, body.reason, client),
  });

export const userTrustedDevicesRoute = route({
  method: 'get',
  path: '/internal/users/{id}/trusted-devices',
  operationId: 'listUserTrustedDevices',
  tag: 'Users',
  summary: 'List the trusted devices of a user',
  description: 'The browsers on which the user is not asked for a second factor, newest first; at most ten.',
  failures: ['not_found'],
  caller: staffOrSelf('read'),
  params: idOf('user'),
  reply: z.array(trustedDeviceView),
  ...offeredWithTrust,
  handle: ({ auth, params }) => auth.admin.factors.trustedDevicesOf(params.id),
});

/** The removal of a user's trusted devices, for one of its two mounts. */
export const removeTrustedDevicesRoute = (
  prefix: string,
  caller: Caller<Administrator>,
  audience: Audience,
): Route =>
  route({
    method: 'delete',
    path: `${prefix}/{id}/trusted-devices`,
    operationId: audience.named('removeUserTrustedDevices'),
    tag: audience.tagged('Users'),
    summary: 'Remove the trusted devices of a user',
    description:
      'The next sign-in on each of them asks for a second factor. Sessions stay active. Staff may do this for users below their own role.',
    failures: ['not_found'],
    caller,
    ...(audience === people && { refusedWhileActing: true }),
    params: idOf('user'),
    reply: removedTrustedDevices,
    ...offeredWithTrust,
    handle: ({ auth, caller: administrator, params, client }) =>
      auth.admin.factors.removeTrustedDevices(administrator, params.id, client),
  });
