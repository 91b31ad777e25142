import { CommandError, EXIT } from './failure.js';

/** The codes of the operating system for files that cannot be read or written. */
const REASONS = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'EIO',
  'ENOTDIR',
  'ENOENT',
  'EISDIR',
  'ENAMETOOLONG',
  'EXDEV',
]);

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Runs `work`, which reads and writes files. @throws CommandError for an error of the operating system. */
export async function usingFiles<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !REASONS.has(code)) throw error;
    throw new CommandError(EXIT.failed, `${path} cannot be used (${code}).`, hintFor(code));
  }
}

function hintFor(code: string): string {
  if (FULL.has(code)) return 'Free some space, or name a file elsewhere.';
  return code === 'EISDIR'
    ? 'Name a file: this is a folder.'
    : 'Check the files, their permissions, and the account that runs this command.';
}
