import type { RequestFunction, RequestResult } from '../api/requester.js';

/**
 * The browsers on which the signed-in user is not asked for a second factor.
 *
 * @example
 * const forgetAll = (devices: ClientTrustedDevices) => devices.removeAll();
 */
export class ClientTrustedDevices {
  readonly #request: RequestFunction;

  constructor(request: RequestFunction) {
    this.#request = request;
  }

  /** Returns the trusted devices, newest first. */
  list(): Promise<RequestResult<'GET', '/auth/trusted-devices'>> {
    return this.#request('GET', '/auth/trusted-devices');
  }

  /** Removes one: the next sign-in there asks for a second factor. Sessions stay active. */
  remove(id: string): Promise<RequestResult<'DELETE', '/auth/trusted-devices/{id}'>> {
    return this.#request('DELETE', '/auth/trusted-devices/{id}', { path: { id } });
  }

  /** Removes all of them. */
  removeAll(): Promise<RequestResult<'DELETE', '/auth/trusted-devices'>> {
    return this.#request('DELETE', '/auth/trusted-devices');
  }
}
