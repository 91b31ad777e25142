import type { Logger } from '../kernel/logger.js';
import type { EphemeralStore } from './ephemeral-store.js';
import { MemoryEphemeralStore } from './ephemeral-store.memory.js';
import { RedisEphemeralStore } from './ephemeral-store.redis.js';

export interface OpenEphemeralStoreOptions {
  /** Undefined: the store inside this process. */
  url: string | undefined;
  keyPrefix: string;
  logger: Logger;
}

/** The store the settings ask for. Does not wait for Redis; throws TypeError for a URL of an unknown form. */
export function openEphemeralStore({ url, keyPrefix, logger }: OpenEphemeralStoreOptions): EphemeralStore {
  return url === undefined ? new MemoryEphemeralStore() : new RedisEphemeralStore({ url, keyPrefix, logger });
}
