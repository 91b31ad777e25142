import { readFile } from 'node:fs/promises';
import { CommandError, EXIT } from './failure.js';

/** Reads a file that the command line names. @throws CommandError if it cannot be read. */
export async function readTextFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new CommandError(EXIT.notFound, `There is no file ${path}.`);
    throw new CommandError(EXIT.failed, `${path} cannot be read (${code}).`, 'Check its permissions.');
  }
}
