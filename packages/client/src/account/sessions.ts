import type { RequestFunction, RequestResult } from '../api/requester.js';

/**
 * The sessions of the signed-in user, on all devices.
 *
 * @example
 * const devicesOf = async (sessions: OwnSessions): Promise<(string | null)[]> =>
 *   ((await sessions.list()).data ?? []).map(({ deviceName }) => deviceName);
 */
export class OwnSessions {
  readonly #deps;

  constructor(deps: { request: RequestFunction; signOut: () => Promise<unknown> }) {
    this.#deps = deps;
  }

  /** Lists the active sessions, newest first; `current` marks this one. */
  list(): Promise<RequestResult<'GET', '/auth/sessions'>> {
    return this.#deps.request('GET', '/auth/sessions');
  }

  /** Ends a session. The current one ends as if the service had revoked it; `client.signOut` is for that. */
  revoke(id: string): Promise<RequestResult<'DELETE', '/auth/sessions/{id}'>> {
    return this.#deps.request('DELETE', '/auth/sessions/{id}', { path: { id } });
  }

  /** Ends all sessions but the current one. */
  revokeOthers(): Promise<RequestResult<'POST', '/auth/logout-others'>> {
    return this.#deps.request('POST', '/auth/logout-others');
  }

  /** Ends all sessions, and signs out. */
  async revokeAll(): Promise<RequestResult<'POST', '/auth/logout-all'>> {
    const outcome = await this.#deps.request('POST', '/auth/logout-all');
    if (outcome.ok) await this.#deps.signOut();
    return outcome;
  }
}
