import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@latchkey/core';
import { findFreePort, isPortFree } from './free-port.js';
import type { GuardedProcess } from './guarded-process.js';
import { CLUSTER_USER, startCluster } from './postgres-cluster.js';
import { openPostgresHome, type PostgresHome } from './postgres-home.js';
import { findRunningServer } from './running-server.js';
import { removeRuntimeFile, writeRuntimeFile } from './runtime-file.js';

/** The data folder and logger of an embedded database. */
export interface EmbeddedPostgresOptions {
  /** The data is kept in `<dataDir>/postgres`. */
  dataDir: string;
  /** Defaults to no log. */
  logger?: Logger | undefined;
  /** Deleted once a server that we have started has ended, even if our process was killed. */
  scrapFolder?: string | undefined;
}

/** A running server. */
export interface EmbeddedPostgres {
  url: string;
  port: number;
  /** Stops the server, unless it was running before. Calling it twice is safe. */
  stop(): Promise<void>;
}

/** Milliseconds to wait for another process that is starting or stopping the same server. */
const TIMEOUT_MS = 10_000;

/** Temporary failures: a simultaneous start, and children of a killed server that still hold its memory. */
const PASSING_TROUBLE = /lock file|shared memory block|could not bind|Address already in use/;

/**
 * Starts a real PostgreSQL for development, on the loopback address and behind a random password. It ends
 * with our process, however that ends. A server that already runs on the folder is used, and left running by
 * `stop`. Not for production: it has neither backups nor monitoring.
 * @throws Error that says what to do if it cannot be started here.
 * @example
 * ```ts
 * const dataDir = makeTemporaryFolder();
 * const server = await startEmbeddedPostgres({ dataDir, scrapFolder: dataDir });
 * readEmbeddedPostgres(dataDir)?.url === server.url; // → true
 * await server.stop();
 * ```
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { logger, scrapFolder } = options;
  const dataDir = path.resolve(options.dataDir);
  const home = { ...openPostgresHome(dataDir), scrapFolder };
  const found = await joinOrStart(home, Date.now() + TIMEOUT_MS);
  const { port } = found;
  const url = urlOf(home, port);
  if (!found.server) {
    logger?.info({ port }, 'Using the running embedded PostgreSQL.');
    return { url, port, stop: () => Promise.resolve() };
  }
  const { server } = found;
  const { pid } = server;
  writeRuntimeFile(dataDir, { url, port, pid, dataFolder: home.dataFolder });
  logger?.info({ port, dataFolder: home.dataFolder }, 'The embedded PostgreSQL has started.');
  const watch = watchOver(server, logger);
  const stop = async () => {
    watch.stopping();
    await server.stop();
    removeRuntimeFile(dataDir, pid);
  };
  return { url, port, stop };
}

interface Found {
  port: number;
  /** Undefined: it was running before. */
  server?: GuardedProcess;
}

/** A home, and the folder to delete with its server. */
type ServedHome = PostgresHome & Pick<EmbeddedPostgresOptions, 'scrapFolder'>;

async function joinOrStart(home: ServedHome, deadline: number): Promise<Found> {
  const { dataFolder } = home;
  const running = await findRunningServer({
    dataFolder,
    urlOf: (port) => urlOf(home, port),
    timeoutMs: TIMEOUT_MS,
  });
  if (running) return { port: running.port };
  try {
    return await startOwn(home);
  } catch (error) {
    if (Date.now() > deadline || !PASSING_TROUBLE.test(String(error))) throw error;
    await sleep(100);
    return joinOrStart(home, deadline);
  }
}

async function startOwn({ folder, dataFolder, binaries, scrapFolder }: ServedHome): Promise<Found> {
  const lastPort = path.join(folder, 'port');
  const port = await choosePort(lastPort);
  const start = { dataFolder, port, durable: true, stopSignal: 'INT', scrapFolder } as const;
  const server = await startCluster(binaries, start);
  fs.writeFileSync(lastPort, String(port));
  return { port, server };
}

/** Returns the last port, so that saved connections of database tools remain valid; else a free one. */
async function choosePort(lastPortFile: string): Promise<number> {
  const last = fs.existsSync(lastPortFile) ? Number(fs.readFileSync(lastPortFile, 'utf8')) : 0;
  return last > 0 && last < 65_536 && (await isPortFree(last)) ? last : findFreePort();
}

function urlOf({ password }: PostgresHome, port: number): string {
  return `postgres://${CLUSTER_USER}:${password}@127.0.0.1:${port}/postgres`;
}

/** Logs an unexpected end as an error, with the last output of the server. */
function watchOver(server: GuardedProcess, logger: Logger | undefined): { stopping(): void } {
  let expected = false;
  server.onExit(() => {
    if (expected) return;
    logger?.error({ output: server.output.slice(-2000) }, 'The embedded PostgreSQL has ended unexpectedly.');
  });
  return {
    stopping: () => {
      expected = true;
    },
  };
}
