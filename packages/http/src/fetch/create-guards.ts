import type { VerifyingAuth } from '@latchkey/core';
import { aFunction } from '@latchkey/core/settings';
import { assertVerifyingAuth } from '../assert-auth.js';
import type { AuthContext } from '../guards/auth-context.js';
import { CallerChecks } from '../guards/caller-checks.js';
import { permitOf, type CallerRequirements } from '../guards/caller-requirements.js';
import { readGuardOptions, type GuardOptions } from '../guards/guard-options.js';
import { withDeadline } from '../routing/deadline.js';
import { unknownAddress, type ClientAddress } from './client-address.js';
import { errorResponse } from './error-response.js';
import { guardedRequest, type GuardedRequest } from './guarded-request.js';

/** Handles a request whose caller is allowed. */
type GuardedHandler<Rest extends unknown[]> = (
  request: Request,
  caller: AuthContext,
  ...rest: Rest
) => Response | Promise<Response>;

/** Guards of routes on any host. Together they read the caller's session once per request. */
export interface Guards {
  /**
   * Returns the caller of a request who meets all requirements.
   * @throws AuthError with the code that a route of the service would respond with.
   * @throws TypeError for requirements that are unknown or malformed.
   */
  readonly check: (request: GuardedRequest, requirements?: CallerRequirements) => Promise<AuthContext>;
  /**
   * Returns the caller if credentials are present; undefined without any, and for a cookie that is no longer valid.
   * @throws AuthError for an invalid token.
   */
  readonly checkIfAny: (request: GuardedRequest) => Promise<AuthContext | undefined>;
  /** Returns a handler of the Fetch API that allowed callers reach. Others get the response of `errorResponse`. */
  readonly withAuth: <Rest extends unknown[]>(
    requirements: CallerRequirements,
    handler: GuardedHandler<Rest>,
  ) => (request: Request, ...rest: Rest) => Promise<Response>;
}

/** Options of `createGuards`. */
export interface FetchGuardOptions extends GuardOptions {
  /** Returns the address for the audit rows of denied requests of the Fetch API. Defaults to none. */
  clientAddress?: ClientAddress;
}

/**
 * Creates guards for routes of the Fetch API, and for requests of Node.js outside Express.
 * @throws TypeError when `auth` is not the result of `createAuth` or has been closed, and for invalid options.
 * @example
 * ```ts
 * const { withAuth } = createGuards(auth);
 * const GET = withAuth({ fresh: '15m' }, (_request, { userId }) => Response.json({ userId }));
 * (await GET(new Request('http://localhost/mine'))).status; // → 401
 * ```
 */
export function createGuards(auth: VerifyingAuth, options: FetchGuardOptions = {}): Guards {
  assertVerifyingAuth(auth, 'createGuards(await createAuth(settings))');
  const { clientAddress = unknownAddress } = options;
  const checks = new CallerChecks(auth, readGuardOptions(auth, options, { clientAddress: aFunction }));
  const check: Guards['check'] = (request, requirements = {}) => {
    const seen = guardedRequest(request, clientAddress);
    return withDeadline(
      checks.decide(seen, seen.path, permitOf(auth, checks, requirements), requirements.apiKeys),
    );
  };
  return {
    check,
    checkIfAny: (request) => withDeadline(checks.authenticateIfAny(guardedRequest(request, clientAddress))),
    withAuth: (requirements, handler) => {
      // Mistakes show when the module is loaded, not at the first request.
      permitOf(auth, checks, requirements);
      return async (request, ...others) => {
        let caller: AuthContext;
        try {
          caller = await check(request, requirements);
        } catch (error) {
          return errorResponse(error, request);
        }
        return handler(request, caller, ...others);
      };
    },
  };
}
