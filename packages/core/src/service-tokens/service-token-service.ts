import type { AuditRepository } from '../audit/audit-repository.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { lacksScope, type MachineScope } from '../kernel/machine-scope.js';
import type { Observer } from '../kernel/observer.js';
import { reportOutcome } from '../kernel/use-case-outcome.js';
import type { AddressRateLimiter } from '../rate-limits/address-rate-limiter.js';
import { ipBucket } from '../rate-limits/ip-bucket.js';
import type { RefusalSampler } from '../rate-limits/refusal-sampler.js';
import type { ServiceTokens } from '../tokens/service-token.js';
import { grantedAudience, grantedScopes, secretMatches, type ServiceClient } from './service-client.js';
import { serviceTokenInput, type ServiceTokenInput, type ServiceTokenView } from './service-token-schema.js';

interface ServiceTokenServiceDeps {
  readonly tokens: ServiceTokens;
  readonly audit: AuditRepository;
  readonly anonymousWrites: AddressRateLimiter;
  readonly refusals: RefusalSampler;
  readonly observer: Observer;
  readonly clients: readonly ServiceClient[];
  /** The audience that this service accepts. */
  readonly ownAudience: string;
}

/** Issues service tokens for client secrets and authenticates them on machine routes. */
export class ServiceTokenService {
  readonly #deps: ServiceTokenServiceDeps;
  readonly #clients: ReadonlyMap<string, ServiceClient>;

  constructor(deps: ServiceTokenServiceDeps) {
    this.#deps = deps;
    this.#clients = new Map(deps.clients.map((client) => [client.id, client]));
  }

  /**
   * Issues a token to a configured client.
   * @throws AuthError `forbidden` if no client is configured, or the client may not have the audience or scope,
   * `validation_error` without id or secret, `unauthorized` for an unknown client or a wrong secret, `rate_limited` after
   * too many of these failures from one address.
   */
  issue(input: ServiceTokenInput, client: ClientInfo = unknownClient): Promise<ServiceTokenView> {
    return reportOutcome(this.#issue(input, client), (outcome) => this.#deps.observer.serviceToken(outcome));
  }

  async #issue(input: ServiceTokenInput, client: ClientInfo): Promise<ServiceTokenView> {
    const { clientId, clientSecret, ...requested } = checkInput(serviceTokenInput, input);
    if (this.#clients.size === 0)
      throw AuthError.forbidden('No service client is configured.', 'service_clients_not_configured');
    if (clientId === undefined || clientSecret === undefined) {
      throw missingCredentials({ clientId, clientSecret });
    }
    const known = this.#clients.get(clientId);
    if (!known || !secretMatches(known, clientSecret)) {
      if (!known) secretMatches(undefined, clientSecret);
      return this.#refuse(clientId, client);
    }
    return this.#issueTo(known, requested, client);
  }

  /**
   * Returns the client and scopes of a token that was presented to this service, and its expiry in seconds since the epoch.
   * @throws AuthError `unauthorized`, also for a client that is no longer configured; `forbidden` without the scope.
   */
  async authenticate(
    token: string,
    scope: MachineScope,
  ): Promise<{ clientId: string; scopes: readonly string[]; expiresAt: number }> {
    const { clientId, scopes, expiresAt } = await this.#deps.tokens.verify(token, this.#deps.ownAudience);
    if (!this.#clients.has(clientId))
      throw AuthError.unauthorized('The service client is no longer known.', 'service_client_unknown');
    if (!scopes.includes(scope)) throw lacksScope(scope);
    return { clientId, scopes, expiresAt };
  }

  /** Counts a wrong secret. The first one of an address per minute is written to the audit log. */
  async #refuse(clientId: string, client: ClientInfo): Promise<never> {
    const sampled = await this.#deps.refusals.sample(`service-secret:${ipBucket(client.ipAddress)}`);
    if (sampled) await this.#record('denied', clientId, client, { reason: 'client or secret', ...sampled });
    await this.#deps.anonymousWrites.consume(client.ipAddress);
    throw AuthError.unauthorized('The client or its secret is wrong.', 'client_credentials_wrong');
  }

  async #issueTo(
    known: ServiceClient,
    input: ServiceTokenInput,
    client: ClientInfo,
  ): Promise<ServiceTokenView> {
    const audience = grantedAudience(known, input.audience);
    const scopes = grantedScopes(known, input.scope);
    if (audience === undefined || scopes === undefined) {
      await this.#record('denied', known.id, client, { reason: 'audience or scope' });
      throw AuthError.forbidden('The client may not have this audience or scope.', 'scope_not_allowed');
    }
    const serviceToken = await this.#deps.tokens.issue({ clientId: known.id, audience, scopes });
    const scope = scopes.join(' ');
    await this.#record('success', known.id, client, { audience, scope });
    return { serviceToken, tokenType: 'Service', expiresIn: this.#deps.tokens.ttl, scope };
  }

  async #record(
    outcome: 'success' | 'denied',
    clientId: string,
    client: ClientInfo,
    details: Record<string, unknown>,
  ): Promise<void> {
    const name = this.#clients.has(clientId) ? clientId : 'unknown';
    await this.#deps.audit.insert({
      event: outcome === 'success' ? 'service_token_issued' : 'service_token_denied',
      outcome,
      actor: { kind: 'machine', name: `service:${name}` },
      client,
      details,
    });
  }
}

const missingCredentials = (given: Record<'clientId' | 'clientSecret', string | undefined>): AuthError =>
  AuthError.validation('clientId and clientSecret: are required, in the body or as HTTP Basic', {
    fields: Object.entries(given)
      .filter(([, value]) => value === undefined)
      .map(([name]) => ({ pointer: `/${name}`, reason: 'required', message: 'is required' })),
  });
