import os from 'node:os';
import { makeReachableFolder } from './reachable-folder.js';
import { findServerUser } from './server-user.js';

/**
 * Creates an empty folder that an embedded database can be kept in, and that its account can delete.
 * @throws Error that says what to do if no such folder can be created.
 * @example
 * ```ts
 * import { readdirSync, rmdirSync } from 'node:fs';
 * const dataDir = makeTemporaryFolder();
 * readdirSync(dataDir); // → []
 * rmdirSync(dataDir);
 * ```
 */
export function makeTemporaryFolder(): string {
  return makeReachableFolder([os.tmpdir(), '/tmp', '/var/tmp'], 'latchkey-', findServerUser());
}
