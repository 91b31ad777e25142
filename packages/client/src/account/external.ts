import type { Result } from '../api/client-error.js';
import type { RequestError, RequestResult } from '../api/requester.js';
import type { RequestInput, ResponseData, Schemas } from '../api/routes.js';
import type { SessionManager } from '../session/session-manager.js';
import type { SignInDeps, SignInOutcome } from '../session/sign-in.js';
import { newVerifier } from '../session/verifier.js';

/**
 * The outcome of a flow. `link_required`: the address has an account whose user signs in as before and then calls `link`; `linked`: the
 * account there was linked to the signed-in user; `confirmed`: the session was raised.
 */
export type ExternalOutcome =
  | (SignInOutcome & { returnTo?: string | undefined })
  | { status: 'link_required'; link: Schemas['ExternalLinkRequired']['link'] }
  | { status: 'linked'; identity: Schemas['ExternalIdentity'] }
  | { status: 'confirmed' };

/**
 * Sign-ins by other services, and the accounts there that are linked to the user.
 *
 * @example
 * const begin = async (external: ClientExternal) => {
 *   const { data } = await external.start({ connectionId: 'google' });
 *   // The verifier goes to `sessionStorage`, and the browser to the address.
 *   return data && { keep: data.verifier, open: data.authorizationUrl };
 * };
 */
export class ClientExternal {
  readonly #deps;

  constructor(deps: SignInDeps & { manager: SessionManager }) {
    this.#deps = deps;
  }

  /** Lists the services by which users can sign in. */
  connections(): Promise<RequestResult<'GET', '/auth/external'>> {
    return this.#deps.request('GET', '/auth/external');
  }

  /**
   * Begins a flow: keep the verifier where only this tab reads it, and send the browser to `authorizationUrl`. `purpose` is `link` or
   * `step-up` for the signed-in user. Needs HTTPS or localhost.
   */
  async start(
    input: Omit<RequestInput<'POST', '/auth/external/start'>['body'], 'challenge'>,
  ): Promise<
    Result<
      ResponseData<'POST', '/auth/external/start'> & { verifier: string },
      RequestError<'POST', '/auth/external/start'>
    >
  > {
    const { verifier, challenge } = await newVerifier();
    const body = { ...input, challenge };
    const result = await this.#deps.request('POST', '/auth/external/start', { body });
    return result.ok ? { ...result, data: { ...result.data, verifier } } : result;
  }

  /** Ends a flow with the parameters of the response and the verifier. The session starts or goes on with what comes back. */
  async finish(
    body: RequestInput<'POST', '/auth/external/finish'>['body'],
  ): Promise<Result<ExternalOutcome, RequestError<'POST', '/auth/external/finish'>>> {
    const { session: begun } = await this.#deps.manager.current();
    const result = await this.#deps.request('POST', '/auth/external/finish', { body });
    if (!result.ok) return result;
    const { data } = result;
    const done = (outcome: ExternalOutcome) => ({ ...result, data: outcome });
    if ('link' in data) return done({ status: 'link_required', link: data.link });
    if ('identity' in data) return done({ status: 'linked', identity: data.identity });
    if ('secondFactor' in data) return done({ status: 'second_factor_required', ...data });
    if (!('tokenType' in data)) {
      const { manager } = this.#deps;
      await manager.raise(data, (session) => manager.continues(begun, { session }));
      return done({ status: 'confirmed' });
    }
    await this.#deps.start(data);
    return done({ status: 'signed_in', returnTo: data.returnTo });
  }

  /** Links the account of a sign-in that had to be linked, to the user who has signed in since. */
  link(
    body: RequestInput<'POST', '/auth/external/link'>['body'],
  ): Promise<RequestResult<'POST', '/auth/external/link'>> {
    return this.#deps.request('POST', '/auth/external/link', { body });
  }

  /** Lists the linked accounts of the signed-in user. */
  identities(): Promise<RequestResult<'GET', '/auth/external/identities'>> {
    return this.#deps.request('GET', '/auth/external/identities');
  }

  /** Unlinks an account. Sessions that were opened with it end. `reauthentication_required` if the sign-in is too old. */
  unlink(id: string): Promise<RequestResult<'DELETE', '/auth/external/identities/{id}'>> {
    return this.#deps.request('DELETE', '/auth/external/identities/{id}', { path: { id } });
  }
}
