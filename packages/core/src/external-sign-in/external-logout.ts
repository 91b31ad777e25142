import { decodeJwt } from 'jose';
import type { z } from 'zod';
import type { AuditRepository } from '../audit/audit-repository.js';
import type { ExternalFlowRepository } from '../identities/external-flow-repository.js';
import type { ExternalIdentityRepository } from '../identities/external-identity-repository.js';
import { AuthError } from '../kernel/auth-error.js';
import { checkInput } from '../kernel/check-input.js';
import { unknownClient, type ClientInfo } from '../kernel/client-info.js';
import { withDeadline } from '../kernel/deadline.js';
import { digestOf } from '../kernel/secret.js';
import { ipBucket } from '../rate-limits/ip-bucket.js';
import type { RefusalSampler } from '../rate-limits/refusal-sampler.js';
import type { SessionQueries } from '../sessions/session-queries.js';
import type { SessionRevoker } from '../sessions/session-revoker.js';
import type { StatusOk } from '../sessions/session-schema.js';
import type { Database } from '../storage/database.js';
import type { UserRepository } from '../users/user-repository.js';
import { ProviderRefusal, type ExternalProvider, type ProviderLogout } from './external-provider.js';
import type { ExternalProviders } from './external-providers.js';
import { backchannelLogoutInput } from './external-schema.js';

const PROVIDER_MS = 3_500;
/** Longer than any logout token is accepted. */
const TOKEN_SECONDS = 3_600;

export interface ExternalLogoutDeps {
  readonly database: Database;
  readonly users: UserRepository;
  readonly sessionQueries: SessionQueries;
  readonly sessionRevoker: SessionRevoker;
  readonly identities: ExternalIdentityRepository;
  readonly externalFlows: ExternalFlowRepository;
  readonly providers: ExternalProviders;
  readonly refusals: RefusalSampler;
  readonly audit: AuditRepository;
}

/** The user and identity whose sessions end. */
interface Ended {
  userId: string;
  identityId: string;
  connectionId: string;
}

/** Ends sessions when their providers say so (OpenID Connect Back-Channel Logout 1.0). */
export class ExternalLogout {
  readonly #deps: ExternalLogoutDeps;

  constructor(deps: ExternalLogoutDeps) {
    this.#deps = deps;
  }

  /**
   * Ends the sessions that a logout token names, by the session at the provider or by its user. A token is used once.
   * @throws AuthError `validation_error` for a token that is not valid or was used, `service_unavailable`.
   */
  async end(
    input: z.input<typeof backchannelLogoutInput>,
    client: ClientInfo = unknownClient,
  ): Promise<StatusOk> {
    const { logout_token: token } = checkInput(backchannelLogoutInput, input);
    // Several connections may have the same client.
    const claimed = claimsOf(token);
    const issuers = this.#deps.providers.all.filter((each) => each.mayHaveIssued(claimed));
    const logout = await this.#verified(token, issuers[0], client);
    const connectionIds = issuers.map(({ traits }) => traits.id);
    const ended = (await Promise.all(connectionIds.map((id) => this.#endedBy(id, logout)))).flat();
    const tokenDigest = digestOf(JSON.stringify([claimed.iss, logout.tokenId]));
    await this.#deps.database.transaction(async (trx) => {
      await this.#deps.users.lock([...new Set(ended.map(({ userId }) => userId))], trx);
      if (!(await this.#deps.externalFlows.useLogout(tokenDigest, TOKEN_SECONDS, trx))) throw tokenInvalid();
      for (const { userId, identityId, connectionId } of ended)
        await this.#deps.sessionRevoker.revokeOfIdentityWithin(
          {
            ...{ userId, identityId, client },
            providerSessionId: logout.sessionId ?? null,
            reason: 'provider_logout',
            event: 'sessions_revoked',
            actor: { kind: 'anonymous' },
            details: { connectionId },
          },
          trx,
        );
    });
    return { status: 'ok' };
  }

  async #endedBy(connectionId: string, { subject, sessionId }: ProviderLogout): Promise<Ended[]> {
    if (subject !== undefined) {
      const known = await this.#deps.identities.find({ connectionId, subject });
      return known ? [{ userId: known.userId, identityId: known.id, connectionId }] : [];
    }
    if (sessionId === undefined) return [];
    const found = await this.#deps.sessionQueries.findByProviderSession(connectionId, sessionId);
    return found.map((each) => ({ ...each, connectionId }));
  }

  async #verified(
    token: string,
    provider: ExternalProvider | undefined,
    client: ClientInfo,
  ): Promise<ProviderLogout> {
    try {
      if (!provider) throw new ProviderRefusal('issuer');
      return await inTime(provider.verifyLogout(token));
    } catch (error) {
      if (AuthError.is(error)) throw error;
      if (!(error instanceof ProviderRefusal))
        throw AuthError.unavailable('The keys of the provider cannot be read at the moment.', error);
      await this.#record(provider, error.reason, client);
      throw tokenInvalid();
    }
  }

  async #record(provider: ExternalProvider | undefined, reason: string, client: ClientInfo): Promise<void> {
    const key = `external-logout:${reason}:${ipBucket(client.ipAddress)}`;
    const sampled = await this.#deps.refusals.sample(key);
    if (!sampled) return;
    await this.#deps.audit.insert({
      event: 'external_flow_failed',
      outcome: 'failure',
      actor: { kind: 'anonymous' },
      client,
      details: { what: 'logout', connectionId: provider?.traits.id, reason, ...sampled },
    });
  }
}

/** Nothing of these claims is verified: they only name the provider to ask. */
function claimsOf(token: string): { iss: unknown; aud: unknown } {
  try {
    const { iss, aud } = decodeJwt(token);
    return { iss, aud };
  } catch {
    return { iss: undefined, aud: undefined };
  }
}

const inTime = <Result>(asked: Promise<Result>): Promise<Result> =>
  withDeadline(asked, PROVIDER_MS, 'The keys of the provider cannot be read at the moment.');

const tokenInvalid = (): AuthError =>
  AuthError.validation('logout_token: is not valid, or was used', {
    fields: [{ pointer: '/logout_token', reason: 'not_allowed', message: 'is not valid, or was used' }],
  });
