import type { RequestFunction, RequestResult } from '../api/requester.js';
import type { RequestInput } from '../api/routes.js';

/**
 * The API keys of the signed-in user, for programs that act with the user's rights.
 *
 * @example
 * const textOf = async (keys: OwnApiKeys, name: string) => (await keys.create({ name })).data?.key;
 */
export class OwnApiKeys {
  readonly #request: RequestFunction;

  constructor(request: RequestFunction) {
    this.#request = request;
  }

  /** Makes a key. Its text is returned this once. `reauthentication_required` if the sign-in is too old. */
  create(
    body: RequestInput<'POST', '/auth/api-keys'>['body'],
  ): Promise<RequestResult<'POST', '/auth/api-keys'>> {
    return this.#request('POST', '/auth/api-keys', { body });
  }

  /** Lists the active keys, newest first. */
  list(): Promise<RequestResult<'GET', '/auth/api-keys'>> {
    return this.#request('GET', '/auth/api-keys');
  }

  /** Renames a key. */
  rename(id: string, name: string): Promise<RequestResult<'PATCH', '/auth/api-keys/{id}'>> {
    return this.#request('PATCH', '/auth/api-keys/{id}', { path: { id }, body: { name } });
  }

  /** Replaces the text of a key. With `{ overlap }` the former one is accepted for some seconds more. */
  rotate(
    id: string,
    body: RequestInput<'POST', '/auth/api-keys/{id}/rotate'>['body'] = {},
  ): Promise<RequestResult<'POST', '/auth/api-keys/{id}/rotate'>> {
    return this.#request('POST', '/auth/api-keys/{id}/rotate', { path: { id }, body });
  }

  /** Ends a key. */
  revoke(id: string): Promise<RequestResult<'DELETE', '/auth/api-keys/{id}'>> {
    return this.#request('DELETE', '/auth/api-keys/{id}', { path: { id } });
  }

  /** Ends all keys of the user. */
  revokeAll(): Promise<RequestResult<'POST', '/auth/api-keys/revoke-all'>> {
    return this.#request('POST', '/auth/api-keys/revoke-all');
  }
}
