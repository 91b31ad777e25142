import type { ClientInfo } from '@latchkey/core';
import { addressOf, userAgentOf } from '../exchange/client-info.js';
import type { HttpRequest } from '../exchange/http-request.js';
import { requestIdOf } from '../exchange/request-id.js';

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
