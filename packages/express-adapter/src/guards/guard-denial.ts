import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { addressOf, userAgentOf } from '../http/client-info.js';
import type { Denial } from '../http/denial.js';
import { assignRequestId } from '../http/request-id.js';
import type { AuthContext } from './auth-context.js';
import type { GuardExchange } from './guard.js';

/** Longer is nothing that a host app wrote. */
const MAX_PATH = 256;

/** What of the request Express has added; other frameworks have none of it. */
type Routed = IncomingMessage &
  Partial<Pick<Request, 'ip' | 'baseUrl'>> & {
    route?: { path?: string | RegExp | readonly (string | RegExp)[] };
  };

/** Whom a guard refused what. */
export function denialOf({ request, response }: GuardExchange, { userId }: AuthContext): Denial {
  const routed: Routed = request;
  return {
    actor: { kind: 'user', userId },
    client: {
      ipAddress: addressOf({ ip: routed.ip }),
      userAgent: userAgentOf(request),
      deviceName: null,
      requestId: assignRequestId(request, response),
    },
    method: request.method ?? '',
    path: patternOf(routed),
  };
}

/** `/invoices/:id`; for a guard of a whole router, which stands before its routes, the prefix: `/invoices/*`. */
function patternOf({ baseUrl = '', route }: Routed): string {
  const path = [route?.path ?? '/*'].flat().join(' or ');
  return (baseUrl + path).slice(0, MAX_PATH);
}
