import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { GuardedProcess } from '../../packages/testing/src/embedded-postgres/guarded-process.js';
import {
  preparePostgresBinaries,
  type PostgresBinaries,
} from '../../packages/testing/src/embedded-postgres/postgres-binaries.js';
import {
  CLUSTER_USER,
  createCluster,
  startCluster,
} from '../../packages/testing/src/embedded-postgres/postgres-cluster.js';
import { makeReachableFolder } from '../../packages/testing/src/embedded-postgres/reachable-folder.js';
import { findServerUser, giveTo } from '../../packages/testing/src/embedded-postgres/server-user.js';
import { freePort } from '../../tools/shared/free-port.mjs';
import { openConnection } from './open-connection.js';
import { waitUntil } from './wait-until.js';

/** One PostgreSQL server of a pair. */
export class PairedPostgres {
  readonly port: number;
  readonly dataFolder: string;
  readonly #binaries: PostgresBinaries;
  #server: GuardedProcess | undefined;

  constructor(binaries: PostgresBinaries, dataFolder: string, port: number) {
    this.port = port;
    this.dataFolder = dataFolder;
    this.#binaries = binaries;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `postgres://${CLUSTER_USER}@${this.host}/postgres`;
  }

  async start(): Promise<void> {
    const { dataFolder, port } = this;
    this.#server = await startCluster(this.#binaries, {
      dataFolder,
      port,
      durable: false,
      stopSignal: 'INT',
    });
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  /** Ends the server as a power cut would. */
  kill(): void {
    this.#server?.signal('SIGKILL');
  }

  async sql(text: string): Promise<Record<string, unknown>[]> {
    const client = await openConnection(this.url);
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }
}

/**
 * A primary and a streaming standby, on which each commit waits until the standby has it. The standby begins as a copy
 * of the folder of the primary before its first start, so no program beside the server is needed.
 */
export class PostgresPair {
  readonly primary: PairedPostgres;
  readonly standby: PairedPostgres;
  readonly #folder: string;

  private constructor(folder: string, primary: PairedPostgres, standby: PairedPostgres) {
    this.#folder = folder;
    this.primary = primary;
    this.standby = standby;
  }

  static async start(): Promise<PostgresPair> {
    const user = findServerUser();
    const folder = makeReachableFolder([os.tmpdir(), '/tmp', '/var/tmp'], 'latchkey-pair-', user);
    const binaries = preparePostgresBinaries({ user, keepCopiesIn: folder });
    const server = async (name: string): Promise<PairedPostgres> =>
      new PairedPostgres(binaries, path.join(folder, name), await freePort());
    const pair = new PostgresPair(folder, await server('primary'), await server('standby'));
    createCluster(binaries, { dataFolder: pair.primary.dataFolder, durable: false });
    pair.#copyToStandby(binaries);
    await Promise.all([pair.primary.start(), pair.standby.start()]);
    await pair.#untilSynchronous();
    return pair;
  }

  /** The address of both servers, in the order given. */
  url(...servers: readonly Pick<PairedPostgres, 'host'>[]): string {
    const hosts = servers.map(({ host }) => host).join(',');
    return `postgres://${CLUSTER_USER}@${hosts}/postgres?target_session_attrs=read-write`;
  }

  /** Makes the standby a primary, and returns once it accepts writes. */
  async promote(): Promise<void> {
    await this.standby.sql('select pg_promote(true)');
  }

  async stop(): Promise<void> {
    await Promise.all([this.primary.stop(), this.standby.stop()]);
    fs.rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  #copyToStandby({ user }: PostgresBinaries): void {
    const { status, stderr } = spawnSync('cp', ['-a', this.primary.dataFolder, this.standby.dataFolder]);
    if (status !== 0) throw new Error(`The standby could not be created.\n${stderr.toString()}`);
    const signal = path.join(this.standby.dataFolder, 'standby.signal');
    fs.writeFileSync(signal, '');
    giveTo(user, signal);
    fs.appendFileSync(
      path.join(this.standby.dataFolder, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${this.primary.port} user=${CLUSTER_USER}'\n`,
    );
  }

  async #untilSynchronous(): Promise<void> {
    await this.primary.sql("alter system set synchronous_standby_names = '*'");
    await this.primary.sql('select pg_reload_conf()');
    const isSynchronous = async () =>
      (await this.primary.sql("select from pg_stat_replication where sync_state = 'sync'")).length > 0;
    await waitUntil(isSynchronous, { what: 'a synchronous standby' });
  }
}
