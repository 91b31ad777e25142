/** A file that is not a usable list. The message completes the sentence "the file …". */
export class UnusableListError extends Error {
  override readonly name = 'UnusableListError';
}

/**
 * Returns why a list cannot be opened or read, to complete the sentence "the file …".
 * @throws the error if it concerns neither the file nor its contents.
 */
export function reasonOfUnusable(error: unknown): string {
  if (error instanceof UnusableListError) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'does not exist';
  if (typeof code === 'string') return `cannot be read (${code})`;
  throw error;
}
