import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

/** Returns true if a process has this number, even under another account. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns true if the process is a PostgreSQL server, as far as can be determined. */
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
