import { access, constants, stat } from 'node:fs/promises';
import { CommandError, EXIT } from './failure.js';

/** @throws CommandError if there is no such file, it is a folder, or this account cannot read it. */
export async function assertReadable(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK);
    if ((await stat(path)).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Returns the failure of reading a file. */
export function unreadable(path: string, error: unknown): CommandError {
  const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new CommandError(EXIT.notFound, `There is no file ${path}.`);
  }
  if (code === 'EISDIR') return new CommandError(EXIT.failed, `${path} is a folder.`, 'Name a file.');
  return new CommandError(EXIT.failed, `${path} cannot be read (${code}).`, 'Check its permissions.');
}
