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
export function denialOf(request: HttpRequest, path: string, caller: AuthContext): Denial {
  const { ipAddress, userAgent, deviceName, requestId } = new GuardClient(request);
  return {
    actor: principalActor(caller),
    apiKeyId: caller.apiKey?.id,
    client: { ipAddress, userAgent, deviceName, requestId, act: caller.act },
    method: request.method,
    path: path.slice(0, MAX_PATH),
  };
}

/** The client of a request to a route of the host app. Its facts are read when they are asked for: most requests need none. */
export class GuardClient implements ClientInfo {
  readonly deviceName = null;
  readonly #request: HttpRequest;

  constructor(request: HttpRequest) {
    this.#request = request;
  }

  get ipAddress(): string | null {
    return addressOf(this.#request);
  }

  get userAgent(): string | null {
    return userAgentOf(this.#request);
  }

  get requestId(): string {
    return requestIdOf(this.#request);
  }
}
