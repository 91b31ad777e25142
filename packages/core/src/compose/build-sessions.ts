import type { Clock, SharedClock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { Observer } from '../kernel/observer.js';
import { Authenticator } from '../sessions/authenticator.js';
import type { ClaimsFunction } from '../sessions/claims-function.js';
import { LastUsedRecorder } from '../sessions/last-used-recorder.js';
import { RefreshService } from '../sessions/refresh-service.js';
import { RotationRepository } from '../sessions/rotation-repository.js';
import { SessionCache } from '../sessions/session-cache.js';
import { SessionCreator } from '../sessions/session-creator.js';
import { TokenIssuer } from '../sessions/token-issuer.js';
import type { Settings } from '../settings/settings.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import type { Records } from './build-records.js';
import type { Tokens } from './build-tokens.js';

interface Needs {
  records: Records;
  store: EphemeralStore;
  tokens: Tokens;
  logger: Logger;
  clock: Clock;
  /** Dates session hints. */
  sharedClock: SharedClock;
  observer: Observer;
  /** What a host app adds to access tokens. */
  claims: ClaimsFunction | undefined;
}

/** The services that open, check and rotate sessions. */
export function buildSessions(
  settings: Settings,
  { records, store, tokens, logger, clock, sharedClock, observer, claims }: Needs,
) {
  const { accessTokens, refreshTokens, hintKey } = tokens;
  const { refreshTokenTtl: idle, maxLifetime: absolute, cacheTtl, ...timing } = settings.sessions;
  const lifetimes = { idle, absolute };
  const cache = new SessionCache(store, { ttl: cacheTtl, key: hintKey, clock: sharedClock });
  const uses = new LastUsedRecorder(records.sessions, logger);
  const issuer = new TokenIssuer(accessTokens, refreshTokens, claims);
  const rotations = new RotationRepository(records.database);
  const shared = { ...records, issuer, refreshTokens };
  return {
    uses,
    authenticator: new Authenticator({ ...records, accessTokens, cache, uses, clock }),
    sessionCreator: new SessionCreator({ ...shared, lifetimes, clock }),
    refresh: new RefreshService(
      { ...shared, rotations, observer },
      { lifetimes, coalesceMilliseconds: timing.coalesceMilliseconds, reuseGrace: timing.reuseGrace },
    ),
  };
}
