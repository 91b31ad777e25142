import { flowInvalid, type FlowPurpose } from '../identities/external-flow.js';
import { assertNotActing } from '../kernel/acting-party.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import type { Observer } from '../kernel/observer.js';
import { fieldError } from '../kernel/validation-error.js';
import type { CredentialStepUp } from '../sessions/credential-step-up.js';
import { reportSignIn } from '../sessions/report-sign-in.js';
import type { SignedInUser } from '../sessions/session.js';
import { identityOf, type ExternalAccounts } from './external-accounts.js';
import type { ExternalFlows } from './external-flows.js';
import type { ExternalProvider } from './external-provider.js';
import type { ExternalProviders } from './external-providers.js';
import {
  finishExternalInput,
  startExternalInput,
  type ExternalConnections,
  type FinishedExternal,
  type FinishExternal,
  type StartedExternal,
  type StartExternal,
} from './external-schema.js';
import type { LinkedIdentities } from './linked-identities.js';

export interface ExternalSignInServiceDeps {
  readonly flows: ExternalFlows;
  readonly accounts: ExternalAccounts;
  readonly linked: LinkedIdentities;
  readonly providers: ExternalProviders;
  readonly credentialStepUp: CredentialStepUp;
  /** The part of the step-up that is needed here. */
  readonly stepUp: {
    confirm(
      caller: SignedInUser,
      input: { external: FinishExternal },
      client: ClientInfo,
    ): Promise<{ accessToken: string; expiresIn: number }>;
  };
  readonly observer: Observer;
  /** The public address of the service. */
  readonly baseUrl: string;
  /** Addresses of front ends that take responses. */
  readonly redirectUris: readonly string[];
}

type Response = ReturnType<typeof finishExternalInput.parse>;

/** Signs users in by other services. */
export class ExternalSignInService {
  readonly #deps: ExternalSignInServiceDeps;

  constructor(deps: ExternalSignInServiceDeps) {
    this.#deps = deps;
  }

  /** Returns the connections, for the buttons of a page. */
  connections(): ExternalConnections {
    return this.#deps.providers.all.map(({ traits: { id, type, label } }) => ({ id, type, label }));
  }

  /**
   * Begins a flow. The client keeps the verifier of the challenge, and sends the user to the address that is returned.
   * @param caller the user who links an identity or proves theirs again; undefined for a sign-in.
   * @throws AuthError `validation_error`, `not_found` for an unknown connection, `unauthorized` without a session where one is needed,
   * `reauthentication_required` to link, `forbidden` while an actor acts for the user, `rate_limited`, `service_unavailable`.
   */
  async start(
    input: StartExternal,
    caller?: SignedInUser,
    client: ClientInfo = unknownClient,
  ): Promise<StartedExternal> {
    const { connectionId, purpose, redirectUri: asked, ...start } = checkInput(startExternalInput, input);
    const provider = this.#deps.providers.get(connectionId);
    const session = await this.#sessionFor(purpose, provider, caller);
    const redirectUri = this.#redirectUri(connectionId, asked);
    const { challenge, returnTo, loginHint } = start;
    const flow = { provider, challenge, purpose, redirectUri, returnTo, loginHint, session };
    return this.#deps.flows.begin(flow, client);
  }

  /**
   * Ends a flow: signs its user in, links the identity, or raises the session. A flow that a session began ends in that session.
   * @throws AuthError `validation_error`, `unauthorized` with the reasons `flow_invalid`, `external_sign_in_cancelled` and
   * `external_sign_in_failed`, the sign-in codes, `registration_disabled`, `conflict`, `service_unavailable`.
   */
  async finish(
    input: FinishExternal,
    caller?: SignedInUser,
    client: ClientInfo = unknownClient,
  ): Promise<FinishedExternal> {
    const response = checkInput(finishExternalInput, input);
    assertOneOutcome(response);
    const purpose = caller && (await this.#deps.flows.purposeOf(response));
    if (caller && purpose === 'step-up' && response.code !== undefined)
      return this.#deps.stepUp.confirm(caller, { external: response }, client);
    if (caller && (purpose === 'link' || purpose === 'step-up'))
      return this.#link(response, purpose, caller, client);
    return reportSignIn(this.#signIn(response, client), (outcome) =>
      this.#deps.observer.signIn('external', outcome),
    );
  }

  async #signIn(response: Response, client: ClientInfo): Promise<FinishedExternal> {
    const ended = await this.#deps.flows.end(response, { purposes: ['sign-in'], sessionId: null }, client);
    const result = await this.#deps.accounts.signIn(ended, client);
    const { returnTo } = ended.flow;
    return returnTo === null || 'link' in result ? result : { ...result, returnTo };
  }

  /** A refusal of a step-up ends here, too: it has no code to verify. */
  async #link(
    response: Response,
    purpose: FlowPurpose,
    caller: SignedInUser,
    client: ClientInfo,
  ): Promise<FinishedExternal> {
    const { sessionId, userId } = caller;
    const ended = await this.#deps.flows.end(response, { purposes: [purpose], sessionId }, client);
    if (ended.flow.userId !== userId || purpose !== 'link') throw flowInvalid();
    return { identity: await this.#deps.linked.add(caller, identityOf(ended), client) };
  }

  async #sessionFor(
    purpose: FlowPurpose,
    { traits }: ExternalProvider,
    caller: SignedInUser | undefined,
  ): Promise<SignedInUser | undefined> {
    if (purpose === 'sign-in') return undefined;
    if (!caller) throw AuthError.unauthorized();
    assertNotActing(caller);
    if (purpose === 'link') await this.#deps.credentialStepUp.assert(caller, 'sign-in');
    else if (!traits.reauthenticates) throw notReauthenticating();
    return caller;
  }

  /** Each connection has an address of its own, so that no provider gets the code of another (RFC 9700, section 4.4). */
  #redirectUri(connectionId: string, asked: string | undefined): string {
    const { baseUrl, redirectUris } = this.#deps;
    const own = `${baseUrl}/external/callback/${connectionId}`;
    if (asked === undefined || asked === own) return own;
    if (redirectUris.some((each) => asked === `${each}/${connectionId}`)) return asked;
    throw fieldError(
      'redirectUri',
      'not_allowed',
      'must be an address of EXTERNAL_REDIRECT_URIS with a slash and the connection appended',
    );
  }
}

/** @throws AuthError `validation_error` unless the response has a code or an error. */
function assertOneOutcome({ code, error }: Response): void {
  if ((code === undefined) === (error === undefined))
    throw fieldError('code', 'required', 'must be given, or error, but not both');
}

const notReauthenticating = (): AuthError =>
  fieldError(
    'connectionId',
    'not_allowed',
    'must be a connection whose provider asks for the password again (reauthenticates); confirm your identity in another way',
  );
