import type { Result } from '../api/client-error.js';
import type { RequestError, RequestFunction, RequestResult } from '../api/requester.js';
import type { RequestInput } from '../api/routes.js';
import { completeSignIn, type SignInOutcome } from '../session/sign-in.js';
import type { IssuedTokens } from '../session/stored-session.js';

interface FactorsDeps {
  request: RequestFunction;
  start: (tokens: IssuedTokens) => Promise<void>;
}

type Proof = RequestInput<'POST', '/auth/login/second-factor'>['body'];

/**
 * Second factors: the second step of a sign-in, and those of the signed-in user.
 *
 * @example
 * const complete = (factors: ClientFactors, challenge: string, code: string) => factors.signIn({ challenge, code });
 */
export class ClientFactors {
  readonly #deps: FactorsDeps;

  constructor(deps: FactorsDeps) {
    this.#deps = deps;
  }

  /** Completes a sign-in that is `second_factor_required`, by its challenge and a code or a recovery code. */
  async signIn(
    body: Proof,
  ): Promise<Result<SignInOutcome, RequestError<'POST', '/auth/login/second-factor'>>> {
    const { request, start } = this.#deps;
    return completeSignIn(await request('POST', '/auth/login/second-factor', { body }), start);
  }

  /** Returns the factors of the signed-in user, and how many recovery codes are left. */
  list(): Promise<RequestResult<'GET', '/auth/factors'>> {
    return this.#deps.request('GET', '/auth/factors');
  }

  /** Begins to add an authenticator app: the response has its QR code. `reauthentication_required` if the sign-in is too old. */
  begin(name?: string): Promise<RequestResult<'POST', '/auth/factors/totp'>> {
    return this.#deps.request('POST', '/auth/factors/totp', {
      body: name === undefined ? {} : { name },
    });
  }

  /** Adds the app with a code that it shows. The first app brings recovery codes. */
  confirm(id: string, code: string): Promise<RequestResult<'POST', '/auth/factors/totp/{id}/confirm'>> {
    return this.#deps.request('POST', '/auth/factors/totp/{id}/confirm', { path: { id }, body: { code } });
  }

  /** Removes an app. `reauthentication_required` without a recent second factor. */
  remove(id: string): Promise<RequestResult<'DELETE', '/auth/factors/{id}'>> {
    return this.#deps.request('DELETE', '/auth/factors/{id}', { path: { id } });
  }

  /** Returns new recovery codes; those before no longer work. */
  renewRecoveryCodes(): Promise<RequestResult<'POST', '/auth/factors/recovery-codes'>> {
    return this.#deps.request('POST', '/auth/factors/recovery-codes');
  }
}
