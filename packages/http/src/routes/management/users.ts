import type { Administrator } from '@latchkey/core';
import {
  createUserInput,
  machineCreateUserInput,
  machineUserPatchInput,
  machineUserView,
  userFilter,
  userPatchInput,
  userView,
} from '@latchkey/core/schemas';
import type { Caller } from '../../callers/caller.js';
import { internalKey } from '../../callers/internal-key.js';
import { staff, staffOrSelf } from '../../callers/staff.js';
import { idOf } from '../../exchange/request-input.js';
import { listRoute, route, type Route, type RouteStepUp } from '../../routing/route.js';
import { machines, people, type Audience } from '../../routing/tag.js';

/** One of the two mounts of the user routes: its callers, inputs and views. */
interface RouteVariant {
  prefix: string;
  audience: Audience;
  list: Caller<Administrator>;
  create: Caller<Administrator>;
  read: Caller<Administrator>;
  change: Caller<Administrator>;
  /** Returns the sign-in that is required of staff for these requests. */
  stepUp: (when: string) => { stepUp?: RouteStepUp };
  isMachine: boolean;
}

const userId = idOf('user');

/** Platform staff; the use case compares their role with that of the user. */
const staffVariant: RouteVariant = {
  prefix: '/internal/users',
  audience: people,
  list: staff('read'),
  create: staff('create'),
  read: staffOrSelf('read'),
  change: staff('read'),
  stepUp: (when) => ({ stepUp: { maxAge: 'STAFF_STEP_UP', when } }),
  isMachine: false,
};

/** Services with the internal key, which may also set emails and legacy ids. */
const machineVariant: RouteVariant = {
  prefix: '/internal/admin/users',
  audience: machines,
  list: internalKey,
  create: internalKey,
  read: internalKey,
  change: internalKey,
  stepUp: () => ({}),
  isMachine: true,
};

function listCreateAndGet({ prefix, audience, isMachine, stepUp, ...variant }: RouteVariant): Route[] {
  const view = isMachine ? machineUserView : userView;
  return [
    listRoute({
      path: prefix,
      operationId: audience.named('listUsers'),
      tag: audience.tagged('Users'),
      summary: 'List users',
      description: 'Newest first, or in the order of `sort`. Filters combine.',
      caller: variant.list,
      filter: userFilter,
      item: view,
      grows: true,
      handle: ({ auth, query: { limit, offset, cursor, ...filter } }) =>
        auth.admin.users.list(filter, { limit, offset, cursor }),
    }),
    route({
      method: 'post',
      path: prefix,
      operationId: audience.named('createUser'),
      tag: audience.tagged('Users'),
      summary: 'Create a user',
      description:
        'Approved, active and without a role by default. Without a password, the user cannot sign in until a reset sets one. 409 for an address that is taken.',
      failures: ['conflict'],
      refusedWhileActing: !isMachine,
      caller: variant.create,
      ...stepUp('to create a user with a role'),
      body: isMachine ? machineCreateUserInput : createUserInput,
      newPassword: 'password',
      reply: view,
      status: 201,
      handle: ({ auth, caller, body, client }) =>
        auth.admin.users.create(caller, { legacyIds: {}, ...body }, client),
    }),
    route({
      method: 'get',
      path: `${prefix}/{id}`,
      operationId: audience.named('getUser'),
      tag: audience.tagged('Users'),
      summary: 'Get a user',
      description: 'Every user may read themselves.',
      failures: ['not_found'],
      caller: variant.read,
      params: userId,
      reply: view,
      handle: ({ auth, params }) => auth.admin.users.get(params.id),
    }),
  ];
}

function changeAndDeactivate({ prefix, audience, isMachine, stepUp, ...variant }: RouteVariant): Route[] {
  const view = isMachine ? machineUserView : userView;
  return [
    route({
      method: 'patch',
      path: `${prefix}/{id}`,
      operationId: audience.named('updateUser'),
      tag: audience.tagged('Users'),
      summary: 'Change a user',
      description: `Profile, role, approval and activity. Withdrawing the approval and deactivating end all sessions. A reason is kept in the audit log. 409 for the last active superadmin.${isMachine ? '' : ' While an actor acts for the caller, only the profile can be changed.'}`,
      failures: ['not_found', 'conflict'],
      caller: variant.change,
      ...stepUp('to change a role, to deactivate and to withdraw an approval'),
      params: userId,
      body: isMachine ? machineUserPatchInput : userPatchInput,
      reply: view,
      handle: ({ auth, caller, params, body, client }) =>
        auth.admin.users.patch(caller, params.id, body, client),
    }),
    route({
      method: 'delete',
      path: `${prefix}/{id}`,
      operationId: audience.named('deactivateUser'),
      tag: audience.tagged('Users'),
      summary: 'Deactivate a user',
      description: 'Ends all sessions of the user; the account is kept. 409 for the last active superadmin.',
      failures: ['not_found', 'conflict'],
      refusedWhileActing: !isMachine,
      caller: variant.change,
      ...stepUp('unless the user is inactive already'),
      params: userId,
      reply: view,
      handle: ({ auth, caller, params, client }) => auth.admin.users.deactivate(caller, params.id, client),
    }),
  ];
}

const userRoutes = (variant: RouteVariant): Route[] => [
  ...listCreateAndGet(variant),
  ...changeAndDeactivate(variant),
];

export const staffUserRoutes: Route[] = userRoutes(staffVariant);
export const machineUserRoutes: Route[] = userRoutes(machineVariant);
