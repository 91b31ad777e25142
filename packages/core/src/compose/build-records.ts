import { AuditRepository } from '../audit/audit-repository.js';
import type { AuthEvents } from '../audit/auth-events.js';
import type { Logger } from '../kernel/logger.js';
import { MembershipRepository } from '../memberships/membership-repository.js';
import { RevocationMarkers } from '../sessions/revocation-markers.js';
import { SessionListRepository } from '../sessions/session-list-repository.js';
import { SessionRepository } from '../sessions/session-repository.js';
import { SessionRevoker } from '../sessions/session-revoker.js';
import { SessionTreeRepository } from '../sessions/session-tree-repository.js';
import type { Settings } from '../settings/settings.js';
import type { Database } from '../storage/database.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import { UserRepository } from '../users/user-repository.js';

/** What every service reads and writes; none of it needs a signing key. */
export interface Records {
  database: Database;
  users: UserRepository;
  memberships: MembershipRepository;
  audit: AuditRepository;
  sessions: SessionRepository;
  trees: SessionTreeRepository;
  lists: SessionListRepository;
  markers: RevocationMarkers;
  sessionRevoker: SessionRevoker;
}

interface Needs {
  database: Database;
  store: EphemeralStore;
  logger: Logger;
  /** Notified of each audit row after its commit. */
  events: AuthEvents;
}

export function buildRecords(settings: Settings, { database, store, logger, events }: Needs): Records {
  const { cacheTtl } = settings.sessions;
  const audit = new AuditRepository(database, events);
  const sessions = new SessionRepository(database, audit);
  const trees = new SessionTreeRepository(database);
  const markers = new RevocationMarkers(store, {
    enabled: cacheTtl > 0,
    ttl: Math.max(cacheTtl, settings.tokens.accessTokenTtl),
    logger,
  });
  return {
    database,
    users: new UserRepository(database),
    memberships: new MembershipRepository(database),
    audit,
    sessions,
    trees,
    lists: new SessionListRepository(database),
    markers,
    sessionRevoker: new SessionRevoker({ database, sessions, trees, markers, audit }),
  };
}
