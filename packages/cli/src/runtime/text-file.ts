import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { CommandError, EXIT } from './failure.js';
import { unreadable } from './readable-file.js';

/**
 * Reads a file that the command line names, without its byte order mark.
 * @throws CommandError if it cannot be read or is not UTF-8.
 */
export async function readTextFile(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (!isUtf8(bytes)) throw new CommandError(EXIT.failed, `${path} is not UTF-8.`, 'Save it as UTF-8.');
  return new TextDecoder().decode(bytes);
}
