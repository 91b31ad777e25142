import type { Clock, SharedClock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { Observer } from '../kernel/observer.js';
import { Authenticator } from '../sessions/authenticator.js';
import type { ClaimsFunction } from '../sessions/claims-function.js';
import { LastUsedRecorder } from '../sessions/last-used-recorder.js';
import { RefreshService } from '../sessions/refresh-service.js';
import { SessionCache } from '../sessions/session-cache.js';
import { SessionCreator } from '../sessions/session-creator.js';
import type { SessionRevoker } from '../sessions/session-revoker.js';
import { TokenIssuer } from '../sessions/token-issuer.js';
import type { Settings } from '../settings/settings.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import type { Tokens } from './build-tokens.js';
import type { Repositories } from './repositories.js';

interface SessionsDeps {
  readonly repositories: Repositories;
  readonly sessionRevoker: SessionRevoker;
  readonly store: EphemeralStore;
  readonly tokens: Tokens;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Dates session hints. */
  readonly sharedClock: SharedClock;
  readonly observer: Observer;
  /** Claims that the host app adds to access tokens. */
  readonly claims: ClaimsFunction | undefined;
}

/** Builds the services that create, verify and rotate sessions. */
export function buildSessions(
  settings: Settings,
  { repositories, sessionRevoker, store, tokens, logger, clock, sharedClock, observer, claims }: SessionsDeps,
) {
  const { accessTokens, refreshTokens, hintKey } = tokens;
  const { refreshTokenTtl: idle, maxLifetime: absolute, cacheTtl, ...timing } = settings.sessions;
  const lifetimes = { idle, absolute };
  const cache = new SessionCache(store, { ttl: cacheTtl, key: hintKey, clock: sharedClock });
  const uses = new LastUsedRecorder(repositories.sessions, logger);
  const issuer = new TokenIssuer(accessTokens, refreshTokens, claims);
  const shared = { ...repositories, sessionRevoker, issuer, refreshTokens };
  return {
    uses,
    authenticator: new Authenticator({ ...repositories, accessTokens, cache, uses, clock }),
    sessionCreator: new SessionCreator({ ...shared, lifetimes, clock }),
    refresh: new RefreshService(
      { ...shared, observer },
      { lifetimes, coalesceMs: timing.coalesceMs, reuseGrace: timing.reuseGrace },
    ),
  };
}
