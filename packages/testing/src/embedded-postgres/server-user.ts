import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

/** The unprivileged account a database server runs under when we are root. */
export interface ServerUser {
  uid: number;
  gid: number;
}

const CANDIDATES = ['postgres', '_postgres', 'nobody'];

/**
 * Returns the account for the server if we are root, as which PostgreSQL refuses to run. Undefined: run it as
 * ourselves.
 */
export function findServerUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = fs.readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of CANDIDATES) {
    const account = accounts.find((line) => line.startsWith(`${name}:`));
    if (account) return readAccount(account);
  }
  throw new Error(
    `PostgreSQL cannot run as root and none of the accounts ${CANDIDATES.join(', ')} exists: set DATABASE_URL.`,
  );
}

function readAccount(line: string): ServerUser {
  const [, , uid, gid] = line.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

/** Returns the owner of an existing folder if we are root and the owner is not. */
export function ownerOf(folder: string): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = fs.statSync(folder);
  return uid === 0 ? undefined : { uid, gid };
}

/** Changes the owner of a file or folder (not its content) to the server's account. */
export function giveTo(user: ServerUser | undefined, file: string): void {
  if (user) fs.chownSync(file, user.uid, user.gid);
}

/** Returns true if the account may enter this folder through all the folders above it. */
export function canEnter(user: ServerUser | undefined, folder: string): boolean {
  const probe = spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], {
    ...user,
    cwd: '/',
    stdio: 'ignore',
  });
  return probe.status === 0;
}
