import { AuthError } from '@latchkey/core';

/**
 * Returns an error that can be foreseen in a few words, with what to do: a setting, a schema that does not fit, a database that is
 * not available. Returns undefined for all others.
 */
export function startFailureText(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'SettingsError' || error.name === 'MigrationError') return error.message;
  if (!AuthError.is(error) || error.code !== 'service_unavailable') return undefined;
  const { cause } = error;
  const reason = cause instanceof Error && cause.message !== '' ? ` (${cause.message})` : '';
  const fix = fixOf(cause) ?? 'check that it is running, and that DATABASE_URL is its address';
  return `${error.message.replace(/\.$/, '')}${reason}. To fix: ${fix}.`;
}

/** Reports whether an error lasts until something is changed. */
export const isLasting = (error: AuthError): boolean => fixOf(error.cause) !== undefined;

function fixOf(cause: unknown): string | undefined {
  const fix: unknown = cause instanceof Error && 'fix' in cause ? cause.fix : undefined;
  return typeof fix === 'string' ? fix : undefined;
}
