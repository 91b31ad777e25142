import type { Result } from '../api/client-error.js';
import type { RequestError } from '../api/requester.js';
import type { RequestInput } from '../api/routes.js';
import { completeSignIn, type SignInDeps, type SignInOutcome } from '../session/sign-in.js';
import { newVerifier } from '../session/verifier.js';

/**
 * Sign-ins by a link or a code that is mailed to the user.
 *
 * @example
 * const ask = async (mailedSignIn: ClientMailedSignIn) => {
 *   const { data } = await mailedSignIn.request({ email: 'ann@example.com' });
 *   // The verifier goes to `localStorage`, where the page of the link finds it.
 *   return data?.verifier;
 * };
 */
export class ClientMailedSignIn {
  readonly #deps: SignInDeps;

  constructor(deps: SignInDeps) {
    this.#deps = deps;
  }

  /**
   * Requests the mail. Keep the verifier: neither the code nor the link is worth anything without it. Give it back to have the mail sent
   * again, so that each of the mails works. Needs HTTPS or localhost.
   */
  async request({
    email,
    verifier,
  }: {
    email: string;
    verifier?: string | undefined;
  }): Promise<Result<{ verifier: string }, RequestError<'POST', '/auth/login/mail'>>> {
    const made = await newVerifier(verifier);
    const body = { email, challenge: made.challenge };
    const result = await this.#deps.request('POST', '/auth/login/mail', { body });
    return result.ok ? { ...result, data: { verifier: made.verifier } } : result;
  }

  /** Signs in with the verifier and either `code` or the `token` of the link. A second factor may be required: see `data.status`. */
  async finish(
    body: RequestInput<'POST', '/auth/login/mail/finish'>['body'],
  ): Promise<Result<SignInOutcome, RequestError<'POST', '/auth/login/mail/finish'>>> {
    const result = await this.#deps.request('POST', '/auth/login/mail/finish', { body });
    return completeSignIn(result, this.#deps.start);
  }
}
