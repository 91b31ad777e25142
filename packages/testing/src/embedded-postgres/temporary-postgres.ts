import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onFreePort } from './free-port.js';
import type { GuardedProcess } from './guarded-process.js';
import { preparePostgresBinaries, type PostgresBinaries } from './postgres-binaries.js';
import { CLUSTER_USER, createCluster, startCluster } from './postgres-cluster.js';
import { makeReachableFolder } from './reachable-folder.js';
import { findServerUser } from './server-user.js';

export interface TemporaryPostgresOptions {
  /** True waits for the disk as a production server does. Defaults to false; `kill` loses nothing either way. */
  durable?: boolean;
}

/** Linux keeps this folder in memory: copying and dropping a database takes a tenth of the time. */
const MEMORY = '/dev/shm';
/** Containers often have 64 MB there. */
const LEAST_FREE_BYTES = 1024 ** 3;

/**
 * A private PostgreSQL for tests, in a temporary folder that is deleted with it: in memory if enough is free, unless
 * it is durable. Needs no password.
 */
export class TemporaryPostgres {
  readonly port: number;
  readonly #cluster: TemporaryCluster;
  #server: GuardedProcess;

  private constructor(cluster: TemporaryCluster, port: number, server: GuardedProcess) {
    this.port = port;
    this.#cluster = cluster;
    this.#server = server;
  }

  static async start({ durable = false }: TemporaryPostgresOptions = {}): Promise<TemporaryPostgres> {
    if (!durable && hasFreeMemory()) {
      try {
        return await TemporaryPostgres.#startBelow([MEMORY], durable);
      } catch {
        // Programs may not be run from there, or it is not ours: the disk serves as well.
      }
    }
    return TemporaryPostgres.#startBelow([os.tmpdir(), '/tmp', '/var/tmp'], durable);
  }

  static async #startBelow(parents: readonly string[], durable: boolean): Promise<TemporaryPostgres> {
    const user = findServerUser();
    const folder = makeReachableFolder(parents, 'latchkey-postgres-', user);
    try {
      const cluster = { folder, durable, binaries: preparePostgresBinaries({ user, keepCopiesIn: folder }) };
      createCluster(cluster.binaries, { dataFolder: path.join(folder, 'data'), durable: false });
      return await onFreePort(
        async (port) => new TemporaryPostgres(cluster, port, await startIn(cluster, port)),
      );
    } catch (error) {
      fs.rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  get url(): string {
    return `postgres://${CLUSTER_USER}@127.0.0.1:${this.port}/postgres`;
  }

  get pid(): number {
    return this.#server.pid;
  }

  /** The last output of the server about itself: its start, and processes of it that crashed. */
  get output(): string {
    return this.#server.output;
  }

  /**
   * Ends the server as a power cut would. Resolves when its backends have ended too: each answers on until it notices.
   * Follow with `restart` or `stop`.
   */
  async kill(): Promise<void> {
    this.#server.signal('SIGKILL');
    await this.#server.closed();
  }

  /** Starts the server again on the same port and data; ends it first, in an orderly way, when it runs. */
  async restart(): Promise<void> {
    this.#server.signal('SIGINT');
    await this.#server.ended();
    this.#server = await startAgain(this.#cluster, this.port);
  }

  /** Ends the server and deletes its folder. */
  async stop(): Promise<void> {
    await this.#server.stop();
    fs.rmSync(this.#cluster.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

function hasFreeMemory(): boolean {
  try {
    const { bavail, bsize } = fs.statfsSync(MEMORY);
    return bavail * bsize >= LEAST_FREE_BYTES;
  } catch {
    return false;
  }
}

interface TemporaryCluster {
  folder: string;
  binaries: PostgresBinaries;
  durable: boolean;
}

function startIn({ folder, binaries, durable }: TemporaryCluster, port: number): Promise<GuardedProcess> {
  const dataFolder = path.join(folder, 'data');
  return startCluster(binaries, { dataFolder, port, durable, stopSignal: 'QUIT', scrapFolder: folder });
}

/** After a SIGKILL the server's children need a moment to notice and let go of the shared memory. */
async function startAgain(cluster: TemporaryCluster, port: number, attempts = 40): Promise<GuardedProcess> {
  try {
    return await startIn(cluster, port);
  } catch (error) {
    if (attempts <= 1) throw error;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return startAgain(cluster, port, attempts - 1);
  }
}
