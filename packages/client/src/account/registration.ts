import type { RequestFunction, RequestResult } from '../api/requester.js';
import type { RequestInput } from '../api/routes.js';

/**
 * The registration of an account, and the links of its mail.
 *
 * @example
 * const register = (registration: ClientRegistration) =>
 *   registration.register({ email: 'ann@example.com', password: 'a long walk home', fullName: 'Ann Nordwind' });
 */
export class ClientRegistration {
  readonly #request: RequestFunction;

  constructor(request: RequestFunction) {
    this.#request = request;
  }

  /** Registers an account, without a sign-in. `status` is `pending` until it may be used. */
  register(
    body: RequestInput<'POST', '/auth/register'>['body'],
  ): Promise<RequestResult<'POST', '/auth/register'>> {
    return this.#request('POST', '/auth/register', { body });
  }

  /** Returns the email that the token of its mail confirms. */
  previewVerification(token: string): Promise<RequestResult<'POST', '/auth/email/verify/preview'>> {
    return this.#request('POST', '/auth/email/verify/preview', { body: { token } });
  }

  /** Confirms the email by the token of its mail. An error for the field `/password` asks for the password, too. */
  verifyEmail(
    body: RequestInput<'POST', '/auth/email/verify'>['body'],
  ): Promise<RequestResult<'POST', '/auth/email/verify'>> {
    return this.#request('POST', '/auth/email/verify', { body });
  }

  /** Sends the mail of a registration again. The result is the same whether or not there is an account. */
  resendMail(email: string): Promise<RequestResult<'POST', '/auth/email/verify/resend'>> {
    return this.#request('POST', '/auth/email/verify/resend', { body: { email } });
  }

  /** Deletes a registration by the second token of its mail: the owner of the mailbox did not register. */
  reject(token: string): Promise<RequestResult<'POST', '/auth/email/verify/reject'>> {
    return this.#request('POST', '/auth/email/verify/reject', { body: { token } });
  }
}
