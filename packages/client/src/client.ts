import { ClientAccount } from './account/account.js';
import { OwnApiKeys } from './account/api-keys.js';
import { Companies } from './account/companies.js';
import { ClientExternal } from './account/external.js';
import { ClientFactors } from './account/factors.js';
import { ClientHandoff } from './account/handoff.js';
import { Invitations } from './account/invitations.js';
import { ClientMailedSignIn } from './account/mailed-sign-in.js';
import { ClientRegistration } from './account/registration.js';
import { OwnSessions } from './account/sessions.js';
import { stepUp, type StepUpProof, type StepUpResult } from './account/step-up.js';
import { ClientTrustedDevices } from './account/trusted-devices.js';
import { emptyResult, type Result, type ServiceError, type TransportError } from './api/client-error.js';
import type { RequestError, RequestFunction, Requester, RequestResult } from './api/requester.js';
import { ClientPasskeys } from './passkeys/passkeys.js';
import { ClientSession } from './session/client-session.js';
import type { SessionFetch } from './session/session-fetch.js';
import type { SessionManager } from './session/session-manager.js';
import { completeSignIn, type SignInOutcome } from './session/sign-in.js';

/**
 * A client of the service: made by `createClient`. No method but `fetch` and `session.start` throws; each returns data or an error.
 *
 * @example
 * const greet = async (client: Client): Promise<string> => {
 *   const { data, error } = await client.me();
 *   return error ? error.message : `Hello ${data.name ?? data.email}`;
 * };
 */
export class Client {
  /** The state of the session, its changes, and its access token. */
  readonly session: ClientSession;
  readonly registration: ClientRegistration;
  readonly account: ClientAccount;
  readonly passkeys: ClientPasskeys;
  readonly factors: ClientFactors;
  /** Browsers that are not asked for a second factor. */
  readonly trustedDevices: ClientTrustedDevices;
  /** Sign-ins by other services. */
  readonly external: ClientExternal;
  /** Sign-ins by a mailed link or code. */
  readonly mailedSignIn: ClientMailedSignIn;
  readonly sessions: OwnSessions;
  readonly apiKeys: OwnApiKeys;
  readonly invitations: Invitations;
  readonly companies: Companies;
  readonly handoff: ClientHandoff;
  /**
   * Calls any route: `request('PATCH', '/auth/me', { body: { fullName } })`. Input, data and errors have the types of the
   * route. Tokens in a response are returned and not kept.
   */
  readonly request: RequestFunction;
  readonly #deps;

  constructor(deps: {
    baseUrl: string;
    requester: Requester;
    manager: SessionManager;
    sessionFetch: SessionFetch;
  }) {
    const { baseUrl, manager, requester } = deps;
    const { request } = requester;
    const start = manager.start.bind(manager);
    this.#deps = deps;
    this.request = request;
    this.session = new ClientSession({ manager, request });
    this.registration = new ClientRegistration(request);
    this.account = new ClientAccount({ baseUrl, request, checkSession: () => manager.check() });
    this.passkeys = new ClientPasskeys({ request, start, stepUp: (proof) => this.stepUp(proof) });
    this.factors = new ClientFactors({ request, start });
    this.trustedDevices = new ClientTrustedDevices(request);
    this.external = new ClientExternal({ request, start, manager });
    this.mailedSignIn = new ClientMailedSignIn({ request, start });
    this.sessions = new OwnSessions({ request, signOut: () => this.signOut() });
    this.apiKeys = new OwnApiKeys(request);
    this.invitations = new Invitations({ request, start });
    this.companies = new Companies(request);
    this.handoff = new ClientHandoff({ request, start });
  }

  /** Signs in with email and password. A second factor may be required: see `data.status`. */
  async signIn(credentials: {
    email: string;
    password: string;
  }): Promise<Result<SignInOutcome, RequestError<'POST', '/auth/login'>>> {
    const { manager, requester } = this.#deps;
    const result = await requester.request('POST', '/auth/login', { body: credentials });
    return completeSignIn(result, (tokens) => manager.start(tokens));
  }

  /**
   * Proves the identity of the user again, by exactly one proof: `password`, `code`, `recoveryCode` or the `credential` of a passkey.
   * The session goes on with what comes back. `session_replaced` if another user has signed in meanwhile: do not repeat what the
   * step-up was for.
   */
  stepUp(proof: StepUpProof): Promise<StepUpResult> {
    const { manager, requester } = this.#deps;
    return stepUp(requester.request, manager, proof);
  }

  /**
   * Signs out, in all tabs. Tokens are forgotten even if the result is an error; in cookie mode the user is then still
   * signed in, because only the service can clear the cookies.
   */
  async signOut(): Promise<Result<undefined, ServiceError | TransportError>> {
    return emptyResult(() => this.#deps.manager.signOut());
  }

  /**
   * Sends a request to an API of your own as `fetch` does, with the session: an access token, or in cookie mode the cookies. Tokens
   * are renewed before they expire and once after a 401, and `session_revoked` ends the session. Call addresses of your own only.
   * Throws what `fetch` throws; `stepUpOf` reads from the response that the API requires a step-up.
   */
  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> =>
    this.#deps.sessionFetch.elsewhere(new Request(input, init));

  /** Returns the signed-in user with roles and memberships. */
  me(): Promise<RequestResult<'GET', '/auth/me'>> {
    return this.request('GET', '/auth/me');
  }

  /** Returns modules and permissions of the signed-in user in a company. */
  access(companyId: string): Promise<RequestResult<'GET', '/auth/me/access'>> {
    return this.request('GET', '/auth/me/access', { header: { 'x-org': companyId } });
  }

  /** Ends the connection to other tabs. The session stays. */
  close(): void {
    this.#deps.manager.close();
  }
}
