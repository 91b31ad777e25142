import { AuthError, mayAct, type Administrator, type UserAction } from '@latchkey/core';
import type { Caller, CallerRequest } from './caller.js';
import { signedIn } from './signed-in.js';

/** A signed-in user as an administrator. `permit` decides which roles are allowed. */
const signedInAdministrator = (
  permit: (administrator: Administrator, request: CallerRequest) => void,
): Caller<Administrator> => ({
  security: 'bearer',
  identify: async (request) => {
    const { userId, globalRole } = await signedIn.identify(request);
    return { kind: 'user', userId, globalRole };
  },
  permit,
  actorOf: (administrator) => administrator,
});

const roleAllows = (administrator: Administrator, action: UserAction): boolean =>
  administrator.kind !== 'user' || mayAct(administrator.globalRole, action);

/** Platform staff whose role allows this action. */
export const staff = (action: UserAction): Caller<Administrator> =>
  signedInAdministrator((administrator) => {
    if (!roleAllows(administrator, action)) throw AuthError.forbidden();
  });

/** The same, and every user for their own id in the path. */
export const staffOrSelf = (action: UserAction): Caller<Administrator> =>
  signedInAdministrator((administrator, { params }) => {
    const isSelf = administrator.kind === 'user' && administrator.userId === params.id?.toLowerCase();
    if (!isSelf && !roleAllows(administrator, action)) throw AuthError.forbidden();
  });

/** Any signed-in user; the use case decides by its subject. */
export const anySignedIn: Caller<Administrator> = signedInAdministrator(() => undefined);
