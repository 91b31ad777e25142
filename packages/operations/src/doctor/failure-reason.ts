import { AuthError } from '@latchkey/core/internal/kernel/auth-error';
import { withoutCredentials } from '@latchkey/core/internal/settings/quote';

/**
 * Returns an error in one line, in the words of the driver: they name the host or the account, never a
 * password.
 */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  const shown = AuthError.is(error) && error.cause instanceof Error ? error.cause : error;
  const root = rootOf(shown);
  const { code } = root as NodeJS.ErrnoException;
  const words = root.message.trim().split('\n', 1)[0] ?? '';
  return withoutCredentials(words === '' ? (code ?? 'unknown reason') : words);
}

/**
 * Returns the cause of `fetch failed`, which itself says nothing; it may be one failure for each address of a
 * name.
 */
function rootOf(error: Error): Error {
  const { cause } = error;
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  const inner = first ?? (error.message === 'fetch failed' ? cause : undefined);
  return inner instanceof Error ? rootOf(inner) : error;
}
