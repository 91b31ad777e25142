import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { addressOf, userAgentOf } from '../http/client-info.js';
import type { Denial } from '../http/denial.js';
import { assignRequestId } from '../http/request-id.js';
import type { AuthContext } from './auth-context.js';
import type { GuardExchange } from './guard.js';

/** Route patterns of host apps are shorter. */
const MAX_PATH = 256;

/** The properties that Express adds to a request; other frameworks have none of them. */
type Routed = IncomingMessage &
  Partial<Pick<Request, 'ip' | 'baseUrl'>> & {
    route?: { path?: string | RegExp | readonly (string | RegExp)[] };
  };

/** Describes a denied request for the audit log. */
export function denialOf({ request, response }: GuardExchange, { userId, act }: AuthContext): Denial {
  const routed: Routed = request;
  return {
    actor: { kind: 'user', userId },
    client: {
      ipAddress: addressOf(routed),
      userAgent: userAgentOf(request),
      deviceName: null,
      requestId: assignRequestId(request, response),
      act,
    },
    method: request.method ?? '',
    path: patternOf(routed),
  };
}

/** Returns `/invoices/:id`; for a guard in front of a whole router, which runs before its routes, the prefix: `/invoices/*`. */
function patternOf({ baseUrl = '', route }: Routed): string {
  const path = [route?.path ?? '/*'].flat().join(' or ');
  return (baseUrl + path).slice(0, MAX_PATH);
}
