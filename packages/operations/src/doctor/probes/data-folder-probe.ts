import { readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** The folder in which embedded services keep their data. */
export interface DataFolderFacts {
  path: string;
  exists: boolean;
  freeBytes: number;
  /** Files with secrets that other accounts of this machine can read. */
  exposed: string[];
}

const SECRET_FILES = ['signing-key.pem', 'postgres.json'];

const OTHERS_READ = 0o044;

export async function probeDataFolder(dataDir: string): Promise<DataFolderFacts> {
  const path = resolve(dataDir);
  const present = await entriesOf(path);
  return {
    path,
    exists: present !== undefined,
    freeBytes: await freeBytesAt(path),
    exposed: await exposedOf(path, present ?? []),
  };
}

async function entriesOf(path: string): Promise<string[] | undefined> {
  try {
    return await readdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function exposedOf(path: string, present: readonly string[]): Promise<string[]> {
  const files = SECRET_FILES.filter((name) => present.includes(name)).map((name) => join(path, name));
  const modes = await Promise.all(files.map(async (file) => (await stat(file)).mode));
  // Windows has no such modes: the values it reports have no meaning.
  return process.platform === 'win32'
    ? []
    : files.filter((_, index) => ((modes[index] ?? 0) & OTHERS_READ) !== 0);
}

/** Returns the free bytes of the folder, or of its nearest parent if it does not exist yet. */
async function freeBytesAt(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch (error) {
    const parent = dirname(path);
    if (parent === path || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return freeBytesAt(parent);
  }
}
