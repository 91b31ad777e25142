import type { RequestFunction, RequestResult } from '../api/requester.js';
import type { RequestInput } from '../api/routes.js';

type Filter<Path extends 'users' | 'audit-logs'> = NonNullable<
  RequestInput<'GET', `/internal/companies/{companyId}/${Path}`>['query']
>;

/**
 * A company, for those who administer it. Members who do not get `forbidden`, and users outside of it `not_found` or `forbidden`.
 *
 * @example
 * const nameOf = async (companies: Companies, id: string) => (await companies.get(id)).data?.name ?? id;
 */
export class Companies {
  readonly #request: RequestFunction;

  constructor(request: RequestFunction) {
    this.#request = request;
  }

  /** Returns the name of a company, what it is entitled to, and how many belong to it. */
  get(companyId: string): Promise<RequestResult<'GET', '/internal/companies/{companyId}'>> {
    return this.#request('GET', '/internal/companies/{companyId}', { path: { companyId } });
  }

  /** Lists active members, newest first: those with a role, or found by the start of an email or a part of a name. */
  members(
    companyId: string,
    query: Filter<'users'> = {},
  ): Promise<RequestResult<'GET', '/internal/companies/{companyId}/users'>> {
    return this.#request('GET', '/internal/companies/{companyId}/users', { path: { companyId }, query });
  }

  /** Adds, changes or ends a membership. Fields that are left out stay as they are. */
  saveMembership(
    companyId: string,
    body: RequestInput<'POST', '/internal/companies/{companyId}/memberships'>['body'],
  ): Promise<RequestResult<'POST', '/internal/companies/{companyId}/memberships'>> {
    const path = { companyId };
    return this.#request('POST', '/internal/companies/{companyId}/memberships', { path, body });
  }

  /** Lists the audit log of a company, newest first. The cursor of the next page is in `X-Next-Cursor`. */
  activity(
    companyId: string,
    query: Filter<'audit-logs'> = {},
  ): Promise<RequestResult<'GET', '/internal/companies/{companyId}/audit-logs'>> {
    return this.#request('GET', '/internal/companies/{companyId}/audit-logs', { path: { companyId }, query });
  }
}
