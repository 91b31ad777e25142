import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeReachableFolder } from '../../packages/testing/src/embedded-postgres/reachable-folder.js';
import {
  findServerUser,
  giveTo,
  type ServerUser,
} from '../../packages/testing/src/embedded-postgres/server-user.js';
import { Relay } from './relay.js';

/** The temporary folder of a cluster, and the ways between its parts. */
export class Site {
  readonly folder: string;
  /** The account of all servers if we are root, as which PostgreSQL and PgBouncer refuse to run. */
  readonly user: ServerUser | undefined = findServerUser();
  readonly #relays = new Map<string, Relay>();

  constructor() {
    this.folder = makeReachableFolder([os.tmpdir(), '/tmp', '/var/tmp'], 'latchkey-cluster-', this.user);
  }

  /** Creates the folder of a part. */
  createFolder(name: string): string {
    const folder = path.join(this.folder, name);
    fs.mkdirSync(folder, { mode: 0o700 });
    giveTo(this.user, folder);
    return folder;
  }

  /** Writes a file that only the servers can read. @returns its full path. */
  writeFile(name: string, content: string): string {
    const file = path.join(this.folder, name);
    fs.writeFileSync(file, content, { mode: 0o600 });
    giveTo(this.user, file);
    return file;
  }

  /** Opens a way to the port. The name says from where to where, such as `latchkey-1 > pgbouncer-1`. */
  async openRelay(name: string, targetPort: number): Promise<Relay> {
    const relay = await Relay.to(targetPort);
    this.#relays.set(name, relay);
    return relay;
  }

  /** Returns the relays whose names match. */
  relays(pattern: RegExp): Relay[] {
    return [...this.#relays].filter(([name]) => pattern.test(name)).map(([, relay]) => relay);
  }

  closeRelays(): void {
    for (const relay of this.#relays.values()) relay.close();
  }
}

/** The names of three parts of a kind: `redis-1` and so on. */
export const threeOf = (kind: string): string[] => [1, 2, 3].map((number) => `${kind}-${number}`);
