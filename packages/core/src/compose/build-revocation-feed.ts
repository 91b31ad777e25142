import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import { RevocationFeed } from '../revocations/revocation-feed.js';
import { RevocationPoller } from '../revocations/revocation-poller.js';
import type { EphemeralStore } from '../storage/ephemeral-store.js';
import type { Repositories } from './repositories.js';

interface RevocationFeedDeps {
  readonly repositories: Repositories;
  readonly store: EphemeralStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Builds the revocation feed. It reads nothing until it has a listener. */
export function buildRevocationFeed({ repositories, ...deps }: RevocationFeedDeps): RevocationFeed {
  const { revocations } = repositories;
  return new RevocationFeed({ revocations, poller: new RevocationPoller({ revocations, ...deps }) });
}
