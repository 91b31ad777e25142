import type { Administrator } from '@latchkey/core';
import {
  createUserInput,
  machineCreateUserInput,
  machineUserPatchInput,
  machineUserView,
  userContext,
  userFilter,
  userPatchInput,
  userView,
  uuidInput,
} from '@latchkey/core/schemas';
import { z } from 'zod';
import type { Caller } from '../../callers/caller.js';
import { internalKey } from '../../callers/internal-key.js';
import { staff, staffOrSelf } from '../../callers/staff.js';
import { listRoute, route, type Route } from '../../http/route.js';

/** One way to the user routes: who is let in, and what they may say and see. */
interface Door {
  prefix: string;
  list: Caller<Administrator>;
  create: Caller<Administrator>;
  read: Caller<Administrator>;
  change: Caller<Administrator>;
  isMachine: boolean;
}

const userId = z.object({ id: uuidInput });

/** People of the platform's staff; the use case weighs their rank against the user's. */
const staffDoor: Door = {
  prefix: '/internal/users',
  list: staff('read'),
  create: staff('create'),
  read: staffOrSelf('read'),
  change: staff('read'),
  isMachine: false,
};

/** Services with the internal key: they may also set an email and carry legacy identifiers. */
const machineDoor: Door = {
  prefix: '/internal/admin/users',
  list: internalKey,
  create: internalKey,
  read: internalKey,
  change: internalKey,
  isMachine: true,
};

function userRoutes({ prefix, isMachine, ...door }: Door): Route[] {
  const view = isMachine ? machineUserView : userView;
  return [
    listRoute({
      path: prefix,
      summary: 'List users, newest first',
      caller: door.list,
      filter: userFilter,
      item: view,
      handle: ({ auth, query: { limit, offset, ...filter } }) => auth.users.list(filter, { limit, offset }),
    }),
    route({
      method: 'post',
      path: prefix,
      summary: 'Create a user',
      caller: door.create,
      body: isMachine ? machineCreateUserInput : createUserInput,
      newPassword: 'password',
      reply: view,
      status: 201,
      handle: ({ auth, caller, body, client }) =>
        auth.userAdministration.create(caller, { legacyIds: {}, ...body }, client),
    }),
    route({
      method: 'get',
      path: `${prefix}/{id}`,
      summary: 'One user',
      caller: door.read,
      params: userId,
      reply: view,
      handle: ({ auth, params }) => auth.users.get(params.id),
    }),
    route({
      method: 'patch',
      path: `${prefix}/{id}`,
      summary: 'Change a user: profile, role, approval, activity',
      caller: door.change,
      params: userId,
      body: isMachine ? machineUserPatchInput : userPatchInput,
      reply: view,
      handle: ({ auth, caller, params, body, client }) =>
        auth.userAdministration.patch(caller, params.id, body, client),
    }),
    route({
      method: 'delete',
      path: `${prefix}/{id}`,
      summary: 'Deactivate a user and end their sessions',
      caller: door.change,
      params: userId,
      reply: view,
      handle: ({ auth, caller, params, client }) =>
        auth.userAdministration.deactivate(caller, params.id, client),
    }),
  ];
}

/** A user with every membership. On the Bearer path the internal key is accepted too. */
const contextRoute = (prefix: string, caller: Caller<Administrator>): Route =>
  route({
    method: 'get',
    path: `${prefix}/{id}/context`,
    summary: 'A user with company and business-unit memberships',
    caller,
    params: userId,
    reply: userContext,
    handle: ({ auth, params }) => auth.users.context(params.id),
  });

export const staffUserRoutes: Route[] = userRoutes(staffDoor);
export const machineUserRoutes: Route[] = userRoutes(machineDoor);
export { contextRoute };
