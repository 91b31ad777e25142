import { addressOf, userAgentOf } from '../exchange/client-info.js';
import type { HttpRequest } from '../exchange/http-request.js';
import { requestIdOf } from '../exchange/request-id.js';
import type { Denial } from '../routing/denial.js';
import type { AuthContext } from './auth-context.js';

/** Route patterns of host apps are shorter. */
const MAX_PATH = 256;

/** Describes a denied request for the audit log. @param path the pattern of its route. */
export const denialOf = (request: HttpRequest, path: string, { userId, act }: AuthContext): Denial => ({
  actor: { kind: 'user', userId },
  client: {
    ipAddress: addressOf(request),
    userAgent: userAgentOf(request),
    deviceName: null,
    requestId: requestIdOf(request),
    act,
  },
  method: request.method,
  path: path.slice(0, MAX_PATH),
});
