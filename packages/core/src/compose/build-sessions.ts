import type { AuditRepository } from '../audit/audit-repository.js';
import type { Logger } from '../kernel/logger.js';
import { Authenticator } from '../sessions/authenticator.js';
import { RefreshService } from '../sessions/refresh-service.js';
import { RotationRepository } from '../sessions/rotation-repository.js';
import { SessionCache } from '../sessions/session-cache.js';
import { SessionEnder } from '../sessions/session-ender.js';
import { SessionListRepository } from '../sessions/session-list-repository.js';
import { SessionOpener } from '../sessions/session-opener.js';
import { SessionRepository } from '../sessions/session-repository.js';
import { TokenIssuer } from '../sessions/token-issuer.js';
import { UseRecorder } from '../sessions/use-recorder.js';
import type { Settings } from '../settings/settings.js';
import type { Database } from '../storage/database.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import type { UserRepository } from '../users/user-repository.js';
import type { Tokens } from './build-tokens.js';

interface Needs {
  database: Database;
  store: EphemeralStore;
  users: UserRepository;
  audit: AuditRepository;
  tokens: Tokens;
  logger: Logger;
}

/** The session floor: repositories, cache, and the services that open, check, rotate and end sessions. */
export function buildSessions(settings: Settings, { database, store, users, audit, tokens, logger }: Needs) {
  const { accessTokens, refreshTokens, hintKey } = tokens;
  const { refreshTokenTtl: idle, maxLifetime: absolute, cacheTtl, ...timing } = settings.sessions;
  const lifetimes = { idle, absolute };
  const sessions = new SessionRepository(database);
  const cache = new SessionCache(store, {
    ttl: cacheTtl,
    key: hintKey,
    markerTtl: Math.max(cacheTtl, accessTokens.ttl),
    logger,
  });
  const uses = new UseRecorder(sessions, logger);
  const issuer = new TokenIssuer(accessTokens, refreshTokens);
  const rotations = new RotationRepository(database);
  const shared = { database, sessions, users, cache, audit, issuer, refreshTokens };
  return {
    sessions,
    cache,
    uses,
    lists: new SessionListRepository(database),
    authenticator: new Authenticator(accessTokens, sessions, cache, uses),
    opener: new SessionOpener({ ...shared, lifetimes }),
    ender: new SessionEnder(shared),
    refresh: new RefreshService(
      { ...shared, rotations },
      { lifetimes, coalesceMilliseconds: timing.coalesceMilliseconds, reuseGrace: timing.reuseGrace },
    ),
  };
}
