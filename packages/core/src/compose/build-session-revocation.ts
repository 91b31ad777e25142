import type { Logger } from '../kernel/logger.js';
import { RevocationMarkers } from '../sessions/revocation-markers.js';
import { SessionRevoker } from '../sessions/session-revoker.js';
import type { Settings } from '../settings/settings.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import type { Repositories } from './repositories.js';

interface SessionRevocationDeps {
  readonly repositories: Repositories;
  readonly store: EphemeralStore;
  readonly logger: Logger;
}

/** Builds the service that revokes sessions. It requires no signing key. */
export function buildSessionRevocation(
  { sessions, tokens }: Settings,
  { repositories, store, logger }: SessionRevocationDeps,
): SessionRevoker {
  const markers = new RevocationMarkers(store, {
    enabled: sessions.cacheTtl > 0,
    ttl: Math.max(sessions.cacheTtl, tokens.accessTokenTtl),
    logger,
  });
  return new SessionRevoker({ ...repositories, markers });
}
