import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { Observer } from '../kernel/observer.js';
import type { EphemeralStore } from './ephemeral-store.js';
import { MemoryEphemeralStore } from './ephemeral-store.memory.js';

interface OpenEphemeralStoreOptions {
  /** The URL of Redis; without one, the store inside this process is opened. */
  url: string | undefined;
  keyPrefix: string;
  logger: Logger;
  observer: Observer;
  /** The clock of the store inside this process; Redis has its own. */
  clock: Clock;
}

/**
 * Opens the configured store; loads the client of Redis only if it is used. Does not wait for Redis.
 * @throws TypeError for a URL of an unknown form.
 */
export async function openEphemeralStore({
  url,
  keyPrefix,
  logger,
  observer,
  clock,
}: OpenEphemeralStoreOptions): Promise<EphemeralStore> {
  if (url === undefined) return new MemoryEphemeralStore({ clock });
  const { RedisEphemeralStore } = await import('./ephemeral-store.redis.js');
  return new RedisEphemeralStore({ url, keyPrefix, logger, observer });
}
