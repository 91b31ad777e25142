import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

/** Whether a process of this number lives and is a PostgreSQL server as far as can be told. */
export function isLivePostgres(pid: number): boolean {
  return isAlive(pid) && mayBePostgres(pid);
}

/** Whether a process has this number, be it another account's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether the process is a PostgreSQL server as far as can be told. */
export function mayBePostgres(pid: number): boolean {
  const commandLine = readCommandLine(pid);
  return commandLine === undefined || commandLine.includes('postgres');
}

function readCommandLine(pid: number): string | undefined {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    const listing = spawnSync('ps', ['-p', String(pid), '-o', 'args='], { encoding: 'utf8' });
    return listing.status === 0 ? listing.stdout : undefined;
  }
}
