import fs from 'node:fs';
import path from 'node:path';
import { isAlive, mayBePostgres } from './live-process.js';

/** The running embedded server, for other programs of the same user, such as the command line. */
interface PostgresRuntime {
  /** With the password: only the owner can read the file. */
  url: string;
  port: number;
  pid: number;
  dataFolder: string;
}

const runtimeFile = (dataDir: string): string => path.join(dataDir, 'postgres.json');

export function writeRuntimeFile(dataDir: string, runtime: PostgresRuntime): void {
  const unfinished = `${runtimeFile(dataDir)}.${process.pid}`;
  fs.writeFileSync(unfinished, `${JSON.stringify(runtime, null, 2)}\n`, { mode: 0o600 });
  fs.renameSync(unfinished, runtimeFile(dataDir));
}

/** Removes the file, unless another server has written its own since. */
export function removeRuntimeFile(dataDir: string, pid: number): void {
  if (read(dataDir)?.pid === pid) fs.rmSync(runtimeFile(dataDir), { force: true });
}

/**
 * Returns the embedded PostgreSQL that runs for this data folder, if any.
 * @throws Error if the file belongs to another user.
 * @example
 * ```ts
 * readEmbeddedPostgres('./where-none-runs'); // → undefined
 * ```
 */
export function readEmbeddedPostgres(dataDir: string): { url: string } | undefined {
  const runtime = read(dataDir);
  return runtime && isLivePostgres(runtime.pid) ? { url: runtime.url } : undefined;
}

function read(dataDir: string): PostgresRuntime | undefined {
  try {
    return JSON.parse(fs.readFileSync(runtimeFile(dataDir), 'utf8')) as PostgresRuntime;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns true if a process of this number is alive and, as far as can be determined, a PostgreSQL server. */
function isLivePostgres(pid: number): boolean {
  return isAlive(pid) && mayBePostgres(pid);
}
