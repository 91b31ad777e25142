import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { GuardedProcess } from './guarded-process.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import { giveTo } from './server-user.js';

/** The superuser of every cluster created here. */
export const CLUSTER_USER = 'latchkey';

/** Creates an empty database cluster. @throws Error with the output of initdb. */
export function createCluster(
  binaries: PostgresBinaries,
  cluster: {
    /** Must not exist or be empty. */
    dataFolder: string;
    /** Undefined: connections from the loopback address need no password. */
    password?: string;
    /** False skips waiting for the disk. */
    durable: boolean;
  },
): void {
  const { dataFolder, password, durable } = cluster;
  const passwordFile = `${dataFolder}.password`;
  const args = ['-D', dataFolder, '-U', CLUSTER_USER, '-E', 'UTF8', '--no-locale', '--no-instructions'];
  if (!durable) args.push('--no-sync');
  if (password === undefined) {
    args.push('-A', 'trust');
  } else {
    fs.writeFileSync(passwordFile, password, { mode: 0o600 });
    giveTo(binaries.user, passwordFile);
    args.push('-A', 'scram-sha-256', '--pwfile', passwordFile);
  }
  const run = spawnSync(binaries.initdb, args, {
    ...binaries.user,
    cwd: path.dirname(dataFolder),
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    encoding: 'utf8',
  });
  fs.rmSync(passwordFile, { force: true });
  if (run.status !== 0) {
    throw new Error(`The database in ${dataFolder} could not be created.\n${run.stderr}`, {
      cause: run.error,
    });
  }
}

/** Leaves out what statements did wrong, so that what happened to the server itself stays in the kept output. */
const TERSE = ['log_min_messages=log', 'log_checkpoints=off'];

/** Starts the server of a cluster on the loopback address only, without a Unix socket. */
export function startCluster(
  binaries: PostgresBinaries,
  start: {
    dataFolder: string;
    port: number;
    durable: boolean;
    stopSignal: 'INT' | 'QUIT';
    scrapFolder?: string | undefined;
  },
): Promise<GuardedProcess> {
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'];
  // Its folder may be in memory, where the default of 1 GB would be too large.
  if (!start.durable) settings.push('fsync=off', 'full_page_writes=off', 'max_wal_size=128MB', ...TERSE);
  return GuardedProcess.start({
    command: binaries.postgres,
    args: ['-D', start.dataFolder, '-p', String(start.port), ...settings.flatMap((one) => ['-c', one])],
    stopSignal: start.stopSignal,
    readyWhen: /ready to accept (?:read-only )?connections/,
    workingFolder: path.dirname(start.dataFolder),
    user: binaries.user,
    scrapFolder: start.scrapFolder,
  });
}
