import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { preparePostgresBinaries, type PostgresBinaries } from './postgres-binaries.js';
import { createCluster } from './postgres-cluster.js';
import { makeReachableFolder } from './reachable-folder.js';
import { canEnter, findServerUser, ownerOf } from './server-user.js';

/** The kept folder of an embedded server: `data/`, `password`, `port`, and perhaps a copy of the programs. */
export interface PostgresHome {
  folder: string;
  dataFolder: string;
  password: string;
  binaries: PostgresBinaries;
}

/**
 * Opens `<dataDir>/postgres` and creates it, with an empty database, at the first call. If the server's
 * account cannot reach that folder (root's own home) it is a symbolic link to one that it can reach.
 * @throws Error that says what to do if the folder cannot be used.
 */
export function openPostgresHome(dataDir: string): PostgresHome {
  const entrance = path.join(dataDir, 'postgres');
  if (!fs.existsSync(entrance)) {
    // A dangling link is left if the folder it led to was deleted.
    fs.rmSync(entrance, { force: true });
    createHome(dataDir, entrance);
  }
  const folder = fs.realpathSync(entrance);
  const dataFolder = path.join(folder, 'data');
  const user = ownerOf(folder) ?? findServerUser();
  assertUsable(folder, user);
  const binaries = preparePostgresBinaries({ user, keepCopiesIn: folder });
  assertSameVersion(entrance, dataFolder, binaries.majorVersion);
  return { folder, dataFolder, binaries, password: fs.readFileSync(path.join(folder, 'password'), 'utf8') };
}

/**
 * Creates the folder under another name and renames it in one step: simultaneous and aborted first starts do
 * no harm.
 */
function createHome(dataDir: string, entrance: string): void {
  fs.mkdirSync(dataDir, { recursive: true });
  const user = findServerUser();
  const elsewhere = user ? ['/var/lib/latchkey', os.tmpdir(), '/tmp'] : [];
  const folder = makeReachableFolder([dataDir, ...elsewhere], 'postgres-', user);
  try {
    const password = randomBytes(24).toString('base64url');
    fs.writeFileSync(path.join(folder, 'password'), password, { mode: 0o600 });
    const binaries = preparePostgresBinaries({ user, keepCopiesIn: folder });
    createCluster(binaries, { dataFolder: path.join(folder, 'data'), password, durable: true });
    putInPlace(folder, dataDir, entrance);
  } catch (error) {
    fs.rmSync(folder, { recursive: true, force: true });
    // Another process was faster: its folder is as good as ours.
    if (!fs.existsSync(entrance)) throw error;
  }
}

function putInPlace(folder: string, dataDir: string, entrance: string): void {
  if (path.dirname(folder) === fs.realpathSync(dataDir)) {
    fs.renameSync(folder, entrance);
  } else {
    fs.symlinkSync(folder, entrance);
  }
}

function assertUsable(folder: string, user: PostgresBinaries['user']): void {
  if (!canEnter(user, folder)) {
    throw new Error(
      `The database in ${folder} cannot be opened by ${user ? `the account ${user.uid}` : 'this account'}: ` +
        'it may belong to another user, or a folder above it may be closed. Fix that or set DATABASE_URL.',
    );
  }
}

function assertSameVersion(entrance: string, dataFolder: string, majorVersion: number): void {
  const found = Number.parseInt(fs.readFileSync(path.join(dataFolder, 'PG_VERSION'), 'utf8'), 10);
  if (found !== majorVersion) {
    throw new Error(
      `The database in ${entrance} was made by PostgreSQL ${found}, the installed one is ${majorVersion}. ` +
        `Delete ${entrance} to start with an empty database, install the former version, or set DATABASE_URL.`,
    );
  }
}
