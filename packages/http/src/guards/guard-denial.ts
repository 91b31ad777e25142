import type { ClientInfo } from '@latchkey/core';
import { principalActor } from '../callers/api-key.js';
import { addressOf, userAgentOf } from '../exchange/client-info.js';
import type { HttpRequest } from '../exchange/http-request.js';
import { requestIdOf } from '../exchange/request-id.js';
import type { Denial } from '../routing/denial.js';
import type { AuthContext } from './auth-context.js';

/** Route patterns of host apps are shorter. */
const MAX_PATH = 256;

/** Describes a denied request for the audit log. @param path the pattern of its route. */
export const denialOf = (request: HttpRequest, path: string, caller: AuthContext): Denial => ({
  actor: principalActor(caller),
  apiKeyId: caller.apiKey?.id,
  client: { ...guardClientOf(request), act: caller.act },
  method: request.method,
  path: path.slice(0, MAX_PATH),
});

/** Returns the client of a request to a route of the host app. */
export const guardClientOf = (request: HttpRequest): ClientInfo => ({
  ipAddress: addressOf(request),
  userAgent: userAgentOf(request),
  deviceName: null,
  requestId: requestIdOf(request),
});
