import { access, writeFile } from 'node:fs/promises';
import { CommandError, EXIT } from './failure.js';

/** @throws CommandError if the path exists already. */
export async function assertMayCreate(path: string): Promise<void> {
  try {
    await access(path);
  } catch {
    return;
  }
  throw existsAlready(path);
}

/**
 * Writes a file that only its owner can read, completely or not at all.
 * @throws CommandError if it exists and may not be replaced, or cannot be written.
 */
export async function writeSecretFile(
  path: string,
  text: string,
  { replace }: { replace: boolean },
): Promise<void> {
  try {
    if (replace) await replaceFile(path, text);
    else await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && !replace) throw existsAlready(path);
    throw new CommandError(
      EXIT.failed,
      `${path} cannot be written (${code}).`,
      'Check the folder and its permissions.',
    );
  }
}

/** Replaces the file by a new one, so that the permissions of the old one are not kept. */
async function replaceFile(path: string, text: string): Promise<void> {
  const { replaceSecretFile } = await import('@latchkey/operations');
  await replaceSecretFile(path, text);
}

const existsAlready = (path: string): CommandError =>
  new CommandError(
    EXIT.failed,
    `${path} exists already.`,
    'Choose another file, or add --force to replace it.',
  );
