import { AuthError, mayAct, type Administrator, type UserAction } from '@latchkey/core';
import type { Caller, CallerRequest } from './caller.js';
import { signedIn } from './signed-in.js';

/** A signed-in person as an administrator, bound by their rank. Which ranks are let in is for `permit`. */
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

const rankAllows = (administrator: Administrator, action: UserAction): boolean =>
  administrator.kind !== 'user' || mayAct(administrator.globalRole, action);

/** Platform staff whose role may take this action on somebody. */
export const staff = (action: UserAction): Caller<Administrator> =>
  signedInAdministrator((administrator) => {
    if (!rankAllows(administrator, action)) throw AuthError.forbidden();
  });

/** The same, and everybody for the user in the path that they are themselves. */
export const staffOrSelf = (action: UserAction): Caller<Administrator> =>
  signedInAdministrator((administrator, { params }) => {
    const isSelf = administrator.kind === 'user' && administrator.userId === params.id?.toLowerCase();
    if (!isSelf && !rankAllows(administrator, action)) throw AuthError.forbidden();
  });

/** Any signed-in person: the use case decides by whom it concerns. */
export const anySignedIn: Caller<Administrator> = signedInAdministrator(() => undefined);
