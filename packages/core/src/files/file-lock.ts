import { randomUUID } from 'node:crypto';
import { readlink, rm, symlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { AuthError } from '../kernel/auth-error.js';

/**
 * Runs `work` while nobody else runs under the same lock. The lock is a symbolic link that names its holder, because
 * a link comes into being whole and once. A holder that was killed on this machine is noticed.
 * @throws AuthError `conflict` when somebody else holds it.
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
  while (!(await place(path))) {
    const holder = await holderOf(path);
    if (holder === undefined) continue;
    if (!isGone(holder)) throw heldBy(holder, path);
    await removeAbandoned(path, holder);
  }
}

/** @returns false when there is a lock already. */
async function place(path: string): Promise<boolean> {
  try {
    await symlink(`${hostname()}:${process.pid}:${randomUUID()}`, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Undefined when it was released meanwhile. @throws AuthError `conflict` for something that is no lock. */
async function holderOf(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw AuthError.conflict(`${path} is in the way: it is no lock. Remove it.`);
  }
}

/** Of processes on other machines nobody knows here. */
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

/** Only whoever holds the right to remove this one lock looks whether it is still there, so a newer one is safe. */
async function removeAbandoned(path: string, holder: string): Promise<void> {
  const [id = ''] = holder.split(':').slice(-1);
  await withFileLock(`${path}.${id}`, async () => {
    if ((await holderOf(path)) === holder) await rm(path);
  });
}

function heldBy(holder: string, path: string): AuthError {
  const [host, pid] = holder.split(':');
  return AuthError.conflict(
    `Process ${pid ?? '?'} on ${host ?? '?'} is at work there. If it is not, remove ${path}.`,
  );
}
