import { AuthError, type Auth } from '@latchkey/core';
import { actForInput, exchangeHandoffInput, handoffCode, tokenPair } from '@latchkey/core/schemas';
import { anyone } from '../../callers/anyone.js';
import { staff } from '../../callers/staff.js';
import { idOf } from '../../exchange/request-input.js';
import { route, type Route } from '../../routing/route.js';
import { SIGN_IN_FAILURES } from '../auth/sign-in-failures.js';

/** While staff may not act for users, the routes respond with 404. */
const offered = (auth: Auth): boolean => auth.staffActing !== undefined;

function staffActingOf({ staffActing }: Auth): NonNullable<Auth['staffActing']> {
  if (!staffActing) throw AuthError.notFound('The endpoint', 'endpoint_not_found');
  return staffActing;
}

const createActingCode = route({
  method: 'post',
  path: '/internal/users/{id}/acting-codes',
  operationId: 'createActingCode',
  tag: 'Sessions',
  summary: 'Act for a user',
  description:
    'Creates a code that a browser exchanges once, within a minute, for a session in which the caller acts for the user. For users ' +
    'of a lower role. The user is notified; the session is limited, and ends with that of the caller.',
  failures: [
    'not_found',
    'conflict',
    'pending_approval',
    'registration_rejected',
    'account_inactive',
    'email_unverified',
  ],
  caller: staff('act-for'),
  stepUp: { maxAge: 'STAFF_STEP_UP' },
  offered,
  params: idOf('user'),
  body: actForInput,
  reply: handoffCode,
  status: 201,
  handle: ({ auth, caller, params, body, client }) =>
    staffActingOf(auth).createCode(caller, params.id, body, client),
});

const exchangeActingCode = route({
  method: 'post',
  path: '/auth/acting/exchange',
  operationId: 'exchangeActingCode',
  tag: 'Hand-off',
  summary: 'Exchange a code of staff for an acting session',
  description:
    'For the pages of the service. 401 for a code that is invalid, used or expired. The tokens are always in the response.',
  failures: [...SIGN_IN_FAILURES, 'session_revoked', 'forbidden'],
  atMost: '60 unknown codes per minute and address',
  caller: anyone,
  offered,
  body: exchangeHandoffInput,
  reply: tokenPair,
  handle: ({ auth, body, client }) => staffActingOf(auth).exchange(body.code, client),
});

export const actingRoutes: Route[] = [createActingCode, exchangeActingCode];
