import { access, writeFile } from 'node:fs/promises';
import { CommandError, EXIT } from './failure.js';

/** @throws CommandError when there is something at that path already. */
export async function assertMayCreate(path: string): Promise<void> {
  try {
    await access(path);
  } catch {
    return;
  }
  throw existsAlready(path);
}

/**
 * Writes a file that its owner alone can read, whole or not at all.
 * @throws CommandError when it exists and may not be replaced, or cannot be written.
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

/** A new file takes the old one's place, so that the old one's permissions do not live on. */
async function replaceFile(path: string, text: string): Promise<void> {
  const { replaceSecretFile } = await import('@latchkey/core/administration');
  await replaceSecretFile(path, text);
}

const existsAlready = (path: string): CommandError =>
  new CommandError(
    EXIT.failed,
    `${path} exists already.`,
    'Choose another file, or add --force to replace it.',
  );
