import fs from 'node:fs';

/** Returns the ids of the processes whose working folder is the given one, or below it. Linux only. */
export function processesIn(folder: string): number[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isIn(workingFolderOf(name), folder))
    .map(Number);
}

const isIn = (place: string, folder: string): boolean => place === folder || place.startsWith(`${folder}/`);

function workingFolderOf(pid: string): string {
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // It has ended, or belongs to another account.
    return '';
  }
}

/** Sends the signal to each process that still runs. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  }
}
