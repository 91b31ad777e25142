import type { Result } from '../api/client-error.js';
import type { RequestError, RequestResult } from '../api/requester.js';
import type { RequestInput } from '../api/routes.js';
import { completeSignIn, type SignInDeps, type SignInOutcome } from '../session/sign-in.js';

/**
 * Second factors: the second step of a sign-in, and those of the signed-in user.
 *
 * @example
 * const complete = (factors: ClientFactors, challenge: string, code: string) => factors.signIn({ challenge, code });
 */
export class ClientFactors {
  readonly #deps: SignInDeps;

  constructor(deps: SignInDeps) {
    this.#deps = deps;
  }

  /**
   * Completes a sign-in that is `second_factor_required`, by its challenge and a code or a recovery code. With `trustDevice` this browser is
   * not asked again for the `trustDeviceDays` of the challenge; only in cookie mode, and only if the challenge has them.
   */
  async signIn(
    body: RequestInput<'POST', '/auth/login/second-factor'>['body'],
  ): Promise<Result<SignInOutcome, RequestError<'POST', '/auth/login/second-factor'>>> {
    const { request, start } = this.#deps;
    return completeSignIn(await request('POST', '/auth/login/second-factor', { body }), start);
  }

  /** Begins to set up the authenticator app that a sign-in requires: its challenge has `enrol`. */
  enrol(
    body: RequestInput<'POST', '/auth/login/second-factor/enrol'>['body'],
  ): Promise<RequestResult<'POST', '/auth/login/second-factor/enrol'>> {
    return this.#deps.request('POST', '/auth/login/second-factor/enrol', { body });
  }

  /** Completes such a sign-in with a code of the new app. The recovery codes are returned this once. */
  async confirmEnrolment(
    body: RequestInput<'POST', '/auth/login/second-factor/enrol/confirm'>['body'],
  ): Promise<
    Result<
      { status: 'signed_in'; recoveryCodes: string[] },
      RequestError<'POST', '/auth/login/second-factor/enrol/confirm'>
    >
  > {
    const { request, start } = this.#deps;
    const result = await request('POST', '/auth/login/second-factor/enrol/confirm', { body });
    if (!result.ok) return result;
    await start(result.data);
    return { ...result, data: { status: 'signed_in', recoveryCodes: result.data.recoveryCodes } };
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
