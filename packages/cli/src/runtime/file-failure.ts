import { CommandError, EXIT } from './failure.js';

/** What the operating system says when a file cannot be read or written. */
const REASONS = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR', 'ENOENT', 'EISDIR']);

/** Runs what reads and writes files; what keeps it from doing so becomes a sentence. */
export async function usingFiles<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !REASONS.has(code)) throw error;
    throw new CommandError(
      EXIT.failed,
      `${path} cannot be used (${code}).`,
      'Check the files there, their permissions, and as whom you run this.',
    );
  }
}
