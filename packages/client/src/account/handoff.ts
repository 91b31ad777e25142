import type { Result } from '../api/client-error.js';
import type { RequestError, RequestResult } from '../api/requester.js';
import { completeSignIn, type SignInDeps, type SignInOutcome } from '../session/sign-in.js';

/**
 * Codes that carry a sign-in into another app.
 *
 * @example
 * const receive = (handoff: ClientHandoff, code: string) => handoff.exchange(code);
 */
export class ClientHandoff {
  readonly #deps: SignInDeps;

  constructor(deps: SignInDeps) {
    this.#deps = deps;
  }

  /** Returns a code for a session in this company, which another app can exchange once. */
  create(companyId: string): Promise<RequestResult<'POST', '/auth/handoff/create'>> {
    return this.#deps.request('POST', '/auth/handoff/create', { header: { 'x-org': companyId } });
  }

  /** Signs in with a code. */
  async exchange(
    code: string,
  ): Promise<Result<SignInOutcome, RequestError<'POST', '/auth/handoff/exchange'>>> {
    const { request, start } = this.#deps;
    return completeSignIn(await request('POST', '/auth/handoff/exchange', { body: { code } }), start);
  }
}
