import { createHash, randomBytes } from 'node:crypto';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { ValueCipher } from '../encryption/value-cipher.js';
import { placeOfVerifier, type ExternalFlowRepository } from '../identities/external-flow-repository.js';
import {
  FLOW_SECONDS,
  flowInvalid,
  STATE_PREFIX,
  type ExternalFlow,
  type FlowPurpose,
} from '../identities/external-flow.js';
import { AuthError } from '../kernel/auth-error.js';
import type { ClientInfo } from '../kernel/client-info.js';
import { withDeadline } from '../kernel/deadline.js';
import { newId } from '../kernel/id.js';
import type { Logger } from '../kernel/logger.js';
import { digestOf, generateSecret } from '../kernel/secret.js';
import { ipBucket } from '../rate-limits/ip-bucket.js';
import type { RefusalSampler } from '../rate-limits/refusal-sampler.js';
import {
  CLIENT_REFUSALS,
  ProviderRefusal,
  ProviderUnavailable,
  type ExternalProvider,
  type ProviderUser,
} from './external-provider.js';
import type { ExternalProviders } from './external-providers.js';
import type { StartedExternal } from './external-schema.js';

/** Everything about a provider ends within this time, so that the response leaves in time. */
const PROVIDER_MS = 3_500;

/** A flow to begin. */
interface FlowStart {
  provider: ExternalProvider;
  challenge: string;
  purpose: FlowPurpose;
  redirectUri: string;
  returnTo: string | undefined;
  loginHint: string | undefined;
  /** The session that links an identity, or proves its user again. */
  session: { userId: string; sessionId: string } | undefined;
}

/** The response that a browser brings back. */
export interface FlowResponse {
  state: string;
  code?: string | undefined;
  error?: string | undefined;
  iss?: string | undefined;
  verifier: string;
}

/** A flow that has ended at its provider. */
export interface EndedFlow {
  flow: ExternalFlow;
  provider: ExternalProvider;
  user: ProviderUser;
}

export interface ExternalFlowsDeps {
  readonly externalFlows: ExternalFlowRepository;
  readonly providers: ExternalProviders;
  readonly cipher: ValueCipher;
  readonly refusals: RefusalSampler;
  readonly audit: AuditRepository;
  readonly logger: Logger;
}

/**
 * Sends users to providers and takes the responses. No cookie holds a flow together: the client keeps a verifier, and a response is
 * worth nothing without it, so that a response of another person's sign-in is refused (RFC 9700, section 4.7).
 */
export class ExternalFlows {
  readonly #deps: ExternalFlowsDeps;

  constructor(deps: ExternalFlowsDeps) {
    this.#deps = deps;
  }

  /**
   * Begins a flow. Nothing is kept unless the provider can be asked.
   * @throws AuthError `rate_limited` for the 21st open flow of an address, `service_unavailable`.
   */
  async begin(start: FlowStart, client: ClientInfo): Promise<StartedExternal> {
    const { provider, purpose, challenge, redirectUri, loginHint, returnTo = null, session } = start;
    const state = generateSecret(STATE_PREFIX);
    const nonce = randomBytes(32).toString('base64url');
    const verifier = randomBytes(32).toString('base64url');
    const authorizationUrl = await inTime(
      provider.authorizationUrl({
        ...{ state, nonce, redirectUri, loginHint },
        pkceChallenge: challengeOf(verifier),
        reauthenticate: purpose === 'step-up',
      }),
    ).catch((error: unknown) => this.#unavailable(error, provider));
    const flowId = newId();
    const isAdded = await this.#deps.externalFlows.insert({
      ...{ id: flowId, purpose, challenge, nonce, redirectUri, returnTo },
      stateDigest: digestOf(state),
      connectionId: provider.traits.id,
      verifier: this.#deps.cipher.encrypt(Buffer.from(verifier), placeOfVerifier(flowId)),
      userId: session?.userId ?? null,
      sessionId: session?.sessionId ?? null,
      addressBucket: ipBucket(client.ipAddress),
    });
    if (!isAdded) throw tooManyFlows();
    return { authorizationUrl, flowId, expiresIn: FLOW_SECONDS };
  }

  /** Returns the purpose of a flow that a response can end. It decides nothing. */
  purposeOf({ state, verifier }: FlowResponse): Promise<FlowPurpose | undefined> {
    return this.#deps.externalFlows.purposeOf(digestOf(state), challengeOf(verifier));
  }

  /**
   * Spends a flow and has its provider prove the user. A flow ends whatever the provider says.
   * @throws AuthError `unauthorized`: reasons `flow_invalid`, `external_sign_in_cancelled`, `external_sign_in_failed`; `not_found` for a
   * connection that is no longer configured; `service_unavailable`.
   */
  async end(
    response: FlowResponse,
    { purposes, sessionId }: { purposes: readonly FlowPurpose[]; sessionId: string | null },
    client: ClientInfo,
  ): Promise<EndedFlow> {
    const { state, code, error, iss, verifier } = response;
    const spent = await this.#deps.externalFlows.spend({
      stateDigest: digestOf(state),
      challenge: challengeOf(verifier),
      purposes,
      sessionId,
    });
    if (!spent) return this.#fail({ reason: 'flow_invalid' }, flowInvalid(), client);
    const { verifier: encrypted, ...flow } = spent;
    const provider = this.#deps.providers.get(flow.connectionId);
    const about = { connectionId: flow.connectionId, subjectUserId: flow.userId ?? undefined };
    if (code === undefined) {
      const isCancelled = error === 'access_denied';
      const refusal = isCancelled ? signInCancelled() : signInFailed();
      return this.#fail({ ...about, reason: isCancelled ? 'cancelled' : 'provider_error' }, refusal, client);
    }
    const pkceVerifier = this.#deps.cipher.decrypt(encrypted, placeOfVerifier(flow.id)).toString();
    const { nonce, redirectUri, purpose } = flow;
    const reauthenticated = purpose === 'step-up';
    const asked = provider.identify({ code, state, iss, nonce, pkceVerifier, redirectUri, reauthenticated });
    const user = await inTime(asked).catch((failure: unknown) => {
      if (!(failure instanceof ProviderRefusal)) return this.#unavailable(failure, provider);
      this.#warnOfClient(failure, provider);
      return this.#fail({ ...about, reason: failure.reason }, signInFailed(), client);
    });
    return { flow, provider, user };
  }

  /** A wrong secret fails every sign-in, and its users can do nothing about it. */
  #warnOfClient({ reason }: ProviderRefusal, { traits: { id: connectionId } }: ExternalProvider): void {
    if (!CLIENT_REFUSALS.has(reason)) return;
    this.#deps.logger.warn(
      { connectionId, reason },
      'A sign-in provider refuses this service as its client. Correct clientId, clientSecret or privateKeyFile in EXTERNAL_PROVIDERS, or the redirect URI that is registered there.',
    );
  }

  /** Records a failure, at most one of a kind in a minute, and throws the refusal. */
  async #fail(
    {
      connectionId,
      reason,
      subjectUserId,
    }: { connectionId?: string; reason: string; subjectUserId?: string | undefined },
    refusal: AuthError,
    client: ClientInfo,
  ): Promise<never> {
    const key = `external:${connectionId ?? ''}:${reason}:${ipBucket(client.ipAddress)}`;
    const sampled = await this.#deps.refusals.sample(key);
    if (sampled) {
      await this.#deps.audit.insert({
        event: 'external_flow_failed',
        outcome: 'failure',
        actor: { kind: 'anonymous' },
        subjectUserId,
        client,
        details: { ...(connectionId !== undefined && { connectionId }), reason, ...sampled },
      });
    }
    throw refusal;
  }

  /** The cause names addresses of the configuration, and no token. */
  #unavailable(error: unknown, { traits }: ExternalProvider): never {
    if (!(error instanceof ProviderUnavailable) && !AuthError.is(error)) throw error;
    this.#deps.logger.warn(
      { err: error, connectionId: traits.id },
      'A sign-in provider gave no usable response.',
    );
    throw AuthError.unavailable(
      'The other service does not respond at the moment. Begin again in a moment.',
      error,
    );
  }
}

/** Returns S256 of a verifier (RFC 7636, section 4.6). */
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url');

/** The late result of a provider is dropped: nothing was written before it. */
const inTime = <Result>(asked: Promise<Result>): Promise<Result> =>
  withDeadline(asked, PROVIDER_MS, 'The other service did not respond in time. Begin again in a moment.');

export const signInFailed = (): AuthError =>
  AuthError.unauthorized(
    'The other service did not confirm this sign-in. Begin it again.',
    'external_sign_in_failed',
  );

const signInCancelled = (): AuthError =>
  AuthError.unauthorized('The sign-in was cancelled at the other service.', 'external_sign_in_cancelled');

const tooManyFlows = (): AuthError =>
  new AuthError(
    'rate_limited',
    'Too many sign-ins were begun from this address. Finish one, or try again later.',
    {
      retryAfterSeconds: 60,
    },
  );
