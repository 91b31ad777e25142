import fs from 'node:fs';
import path from 'node:path';
import { canEnter, giveTo, type ServerUser } from './server-user.js';

/**
 * Creates a new folder that belongs to the server's account and that it can enter, in the first of `parents`
 * where that works.
 */
export function makeReachableFolder(
  parents: readonly string[],
  prefix: string,
  user: ServerUser | undefined,
): string {
  for (const parent of parents) {
    const folder = tryToMake(parent, prefix, user);
    if (folder !== undefined) return folder;
  }
  throw new Error(`The database server can use none of ${parents.join(', ')}: set DATABASE_URL.`);
}

function tryToMake(parent: string, prefix: string, user: ServerUser | undefined): string | undefined {
  try {
    fs.mkdirSync(parent, { recursive: true });
    const folder = fs.mkdtempSync(path.join(fs.realpathSync(parent), prefix));
    giveTo(user, folder);
    if (canEnter(user, folder)) return folder;
    fs.rmSync(folder, { recursive: true, force: true });
  } catch {
    // Missing or not writable: try the next one.
  }
  return undefined;
}
