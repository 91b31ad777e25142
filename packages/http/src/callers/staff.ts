import {
  AuthError,
  mayAct,
  type Administrator,
  type SessionPrincipal,
  type UserAction,
} from '@latchkey/core';
import type { Caller, CallerRequest } from './caller.js';
import { signedIn } from './signed-in.js';

/** A signed-in user as an administrator. */
export const administratorOf = ({
  userId,
  sessionId,
  globalRole,
  authTime,
  amr,
  acr,
  act,
}: SessionPrincipal): Extract<Administrator, { kind: 'user' }> => ({
  ...{ kind: 'user', userId, sessionId, globalRole, signIn: { authTime, amr, acr } },
  ...(act && { act }),
});

/** A caller who is a signed-in administrator. `permit` decides which roles are allowed. */
const signedInAdministrator = (
  permit: (administrator: Administrator, request: CallerRequest) => void,
): Caller<Administrator> => ({
  security: 'bearer',
  failures: ['second_factor_required'],
  identify: async (request) => {
    return administratorOf(await signedIn.identify(request));
  },
  permit,
  actorOf: (administrator) => administrator,
});

const roleAllows = (administrator: Administrator, action: UserAction): boolean =>
  administrator.kind !== 'user' || mayAct(administrator.globalRole, action);

/** Platform staff whose role allows this action. */
export const staff = (action: UserAction): Caller<Administrator> =>
  signedInAdministrator((administrator, request) => {
    if (!roleAllows(administrator, action)) throw AuthError.forbidden();
    assertStaffLevel(administrator, request);
  });

/** The same, and every user for their own id in the path. */
export const staffOrSelf = (action: UserAction): Caller<Administrator> =>
  signedInAdministrator((administrator, request) => {
    const isSelf = administrator.kind === 'user' && administrator.userId === request.params.id?.toLowerCase();
    if (isSelf) return;
    if (!roleAllows(administrator, action)) throw AuthError.forbidden();
    assertStaffLevel(administrator, request);
  });

/** Any signed-in user; the use case decides by its subject. Staff must have the level that their role requires. */
export const anySignedIn: Caller<Administrator> = signedInAdministrator(assertStaffLevel);

/** @throws AuthError `second_factor_required`. */
export function assertStaffLevel(administrator: Administrator, { auth }: Pick<CallerRequest, 'auth'>): void {
  if (administrator.kind !== 'user') return;
  const { globalRole, signIn } = administrator;
  auth.authenticator.assertStaffLevel({ globalRole, acr: signIn?.acr ?? 'aal1' });
}
