import { made } from '../kernel/assemble.js';
import type { Logger } from '../kernel/logger.js';
import type { Settings } from '../settings/settings.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { RevocationMarkers } from './revocation-markers.js';
import { SessionRevoker } from './session-revoker.js';
import type { SessionStateQueries } from './session-state-queries.js';
import { SessionStatus } from './session-status.js';

export interface Given {
  readonly settings: Settings;
  readonly store: EphemeralStore;
  readonly logger: Logger;
}

/** What ends sessions. It requires no signing key. */
export const sessionEndParts = {
  markers: ({ settings: { sessions, tokens }, store, logger }: Given) =>
    new RevocationMarkers(store, {
      enabled: sessions.cacheTtl > 0,
      ttl: Math.max(sessions.cacheTtl, tokens.accessTokenTtl),
      logger,
    }),
  sessionRevoker: made(SessionRevoker),
  sessionStatus: ({ sessionStates }: { readonly sessionStates: SessionStateQueries }) =>
    new SessionStatus(sessionStates),
};
