import { access, constants } from 'node:fs/promises';
import { CommandError, EXIT } from './failure.js';

/** @throws CommandError if there is no such file, or this account cannot read it. */
export async function assertReadable(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK);
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new CommandError(EXIT.notFound, `There is no file ${path}.`);
    throw new CommandError(EXIT.failed, `${path} cannot be read (${code}).`, 'Check its permissions.');
  }
}
