import { open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Suffix of files that are being written or whose writer was killed. */
const UNFINISHED = '.unfinished';

const OWNER_READS_AND_WRITES = 0o600;
const GROUP_READS = 0o040;

/**
 * Replaces a file atomically and durably by one that only its owner can read.
 * @param model file whose owner, group and group read permission are copied. Others never have access.
 * @example
 * ```ts
 * import { mkdtemp, readFile, rm } from 'node:fs/promises';
 * const folder = await mkdtemp('/tmp/keys-');
 * await replaceSecretFile(`${folder}/key.pem`, 'secret');
 * await readFile(`${folder}/key.pem`, 'utf8'); // → 'secret'
 * await rm(folder, { recursive: true });
 * ```
 */
export async function replaceSecretFile(path: string, text: string, model?: string): Promise<void> {
  const unfinished = `${path}.${process.pid}${UNFINISHED}`;
  try {
    await writeDurably(unfinished, text, model);
    await rename(unfinished, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Removes unfinished files of killed writers. The caller must hold the writers' lock. */
export async function removeUnfinished(path: string): Promise<void> {
  const folder = dirname(path);
  const start = `${basename(path)}.`;
  const left = (await readdir(folder)).filter((name) => name.startsWith(start) && name.endsWith(UNFINISHED));
  await Promise.all(left.map((name) => rm(join(folder, name))));
}

async function writeDurably(path: string, text: string, model: string | undefined): Promise<void> {
  const file = await open(path, 'wx', OWNER_READS_AND_WRITES);
  try {
    if (model !== undefined) await copyPermissions(file, model);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Copies owner and group permissions, so that a service under another account than the operator can read the new file. */
async function copyPermissions(file: FileHandle, model: string): Promise<void> {
  const [own, wanted] = await Promise.all([file.stat(), stat(model)]);
  if (own.uid !== wanted.uid || own.gid !== wanted.gid) await file.chown(wanted.uid, wanted.gid);
  await file.chmod(OWNER_READS_AND_WRITES | (wanted.mode & GROUP_READS));
}

/** Syncs a folder. Otherwise a power failure may undo a rename. Not every file system supports it. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().catch(() => undefined);
  await folder.close();
}
