import type { RequestFunction, RequestResult } from '../api/requester.js';

/**
 * The sessions of the signed-in user, on all devices.
 *
 * @example
 * const devicesOf = async (sessions: OwnSessions): Promise<(string | null)[]> =>
 *   ((await sessions.list()).data ?? []).map(({ deviceName }) => deviceName);
 */
export class OwnSessions {
  readonly #request: RequestFunction;

  constructor(request: RequestFunction) {
    this.#request = request;
  }

  /** Lists the active sessions, newest first; `current` marks this one. */
  list(): Promise<RequestResult<'GET', '/auth/sessions'>> {
    return this.#request('GET', '/auth/sessions');
  }

  /** Ends a session. The current one ends as if the service had revoked it; `client.signOut` is for that. */
  revoke(id: string): Promise<RequestResult<'DELETE', '/auth/sessions/{id}'>> {
    return this.#request('DELETE', '/auth/sessions/{id}', { path: { id } });
  }

  /** Ends all sessions but the current one. */
  revokeOthers(): Promise<RequestResult<'POST', '/auth/logout-others'>> {
    return this.#request('POST', '/auth/logout-others');
  }
}
