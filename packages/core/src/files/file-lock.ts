import { randomUUID } from 'node:crypto';
import { readlink, rm, symlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { AuthError } from '../kernel/auth-error.js';

/**
 * Runs `work` under an exclusive lock. The lock is a symbolic link that names its holder, because a link is created
 * atomically. The lock of a process that was killed on this machine is taken over.
 * @throws AuthError `conflict` if another process holds the lock.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await acquire(path);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function acquire(path: string): Promise<void> {
  while (!(await createLock(path))) {
    const holder = await holderOf(path);
    if (holder === undefined) continue;
    if (!isGone(holder)) throw heldBy(holder, path);
    await removeAbandoned(path, holder);
  }
}

/** Creates the lock. Returns false if there already is one. */
async function createLock(path: string): Promise<boolean> {
  try {
    await symlink(`${hostname()}:${process.pid}:${randomUUID()}`, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Returns the holder, or undefined if the lock was released. @throws AuthError `conflict` for a file that is no lock. */
async function holderOf(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw AuthError.conflict(`${path} is not a lock file. Remove it.`);
  }
}

/** Reports whether the holder has ended. A process on another machine counts as running. */
function isGone(holder: string): boolean {
  const [host, pid] = holder.split(':');
  if (host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Removes an abandoned lock under a lock of its own, so that a newer lock is never removed. */
async function removeAbandoned(path: string, holder: string): Promise<void> {
  const [id = ''] = holder.split(':').slice(-1);
  await withFileLock(`${path}.${id}`, async () => {
    if ((await holderOf(path)) === holder) await rm(path);
  });
}

function heldBy(holder: string, path: string): AuthError {
  const [host, pid] = holder.split(':');
  return AuthError.conflict(
    `Process ${pid ?? '?'} on ${host ?? '?'} holds the lock. If it is no longer running, remove ${path}.`,
  );
}
