import type { Result } from '../api/client-error.js';
import type { RequestError, RequestResult } from '../api/requester.js';
import type { RequestInput, Schemas } from '../api/routes.js';
import type { SignInDeps } from '../session/sign-in.js';

/**
 * The outcome of an accepted invitation. `signed_in`: a new user, whose session has started; `joined`: an existing user,
 * whose session did not change; `second_factor_required`: a new user who needs one more step to sign in.
 */
export type InvitationOutcome = { invitation: Schemas['Invitation'] } & (
  | { status: 'signed_in' | 'joined' }
  | { status: 'second_factor_required'; secondFactor: Schemas['SecondFactorChallenge'] }
);

/**
 * Invitations to a company: those who invite name the company, those who are invited have a token.
 *
 * @example
 * const invite = (invitations: Invitations, companyId: string) =>
 *   invitations.create(companyId, { email: 'ben@example.com', role: 'MEMBER' });
 */
export class Invitations {
  readonly #deps: SignInDeps;

  constructor(deps: SignInDeps) {
    this.#deps = deps;
  }

  create(
    companyId: string,
    body: RequestInput<'POST', '/auth/invitations'>['body'],
  ): Promise<RequestResult<'POST', '/auth/invitations'>> {
    return this.#deps.request('POST', '/auth/invitations', { ...inCompany(companyId), body });
  }

  /** Lists the invitations of a company, newest first. */
  list(
    companyId: string,
    query: NonNullable<RequestInput<'GET', '/auth/invitations'>['query']> = {},
  ): Promise<RequestResult<'GET', '/auth/invitations'>> {
    return this.#deps.request('GET', '/auth/invitations', { ...inCompany(companyId), query });
  }

  /** Returns an invitation of a company. */
  get(companyId: string, id: string): Promise<RequestResult<'GET', '/auth/invitations/{id}'>> {
    return this.#deps.request('GET', '/auth/invitations/{id}', { ...inCompany(companyId), path: { id } });
  }

  /** Sends an invitation again, with a new link. */
  resend(companyId: string, id: string): Promise<RequestResult<'POST', '/auth/invitations/{id}/resend'>> {
    const input = { ...inCompany(companyId), path: { id } };
    return this.#deps.request('POST', '/auth/invitations/{id}/resend', input);
  }

  cancel(companyId: string, id: string): Promise<RequestResult<'DELETE', '/auth/invitations/{id}'>> {
    return this.#deps.request('DELETE', '/auth/invitations/{id}', { ...inCompany(companyId), path: { id } });
  }

  /** Returns the offer behind a mailed token. Changes nothing. */
  preview(token: string): Promise<RequestResult<'GET', '/auth/invitations/preview'>> {
    return this.#deps.request('GET', '/auth/invitations/preview', { query: { token } });
  }

  /** Accepts an invitation: as the signed-in user, or as a new one with a password. */
  async accept(
    body: RequestInput<'POST', '/auth/invitations/accept'>['body'],
  ): Promise<Result<InvitationOutcome, RequestError<'POST', '/auth/invitations/accept'>>> {
    const result = await this.#deps.request('POST', '/auth/invitations/accept', { body });
    if (!result.ok) return result;
    const { data } = result;
    const done = (outcome: InvitationOutcome) => ({ ...result, data: outcome });
    if ('secondFactor' in data) return done({ status: 'second_factor_required', ...data });
    if (!('expiresIn' in data)) return done({ status: 'joined', invitation: data });
    await this.#deps.start(data);
    return done({ status: 'signed_in', invitation: data.invitation });
  }
}

const inCompany = (companyId: string) => ({ header: { 'x-org': companyId } });
