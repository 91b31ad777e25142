import type { AuthError } from '@latchkey/core';
import type { PendingMigrationsError } from '@latchkey/operations';

export const EXIT = { ok: 0, failed: 1, usage: 2, notFound: 3, unreachable: 4, interrupted: 130 } as const;

/** An expected failure of a command: one sentence, and the next step. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;
  readonly hint: string | undefined;

  constructor(exitCode: number, message: string, hint?: string) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
  }

  static usage(message: string, hint?: string): CommandError {
    return new CommandError(EXIT.usage, message, hint);
  }
}

interface Failure {
  exitCode: number;
  /** Undefined if a message was already printed. */
  message?: string | undefined;
  hint?: string | undefined;
}

/**
 * Returns the message, hint and exit code for an error. Errors are recognized by `name`, not `instanceof`, so that this
 * module does not load the core.
 */
export function explainFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return unexpected(String(error));
  if (error instanceof CommandError) return error;
  if (isAuthError(error)) return explainAuthError(error);
  if (isPendingMigrations(error)) return explainPending(error);
  switch (error.name) {
    case 'CommanderError':
      return explainUsage((error as NodeJS.ErrnoException).code);
    case 'ExitPromptError':
    case 'Interrupted':
      return { exitCode: EXIT.interrupted };
    case 'MigrationError':
    case 'SettingsError':
      return { exitCode: EXIT.failed, message: error.message };
    default:
      return unexpected(error.message);
  }
}

const isAuthError = (error: Error): error is AuthError => error.name === 'AuthError';

const isPendingMigrations = (error: Error): error is PendingMigrationsError =>
  error.name === 'MigrationError' && 'pending' in error;

/** Returns the exit code of a commander error; commander has already printed the help, version or message. */
function explainUsage(code: string | undefined): Failure {
  const wasAskedFor = code === 'commander.helpDisplayed' || code === 'commander.version';
  return { exitCode: wasAskedFor ? EXIT.ok : EXIT.usage };
}

function explainAuthError(error: AuthError): Failure {
  const { code, message } = error;
  if (code === 'not_found') return { exitCode: EXIT.notFound, message };
  if (code === 'validation_error') return { exitCode: EXIT.usage, message };
  if (code !== 'service_unavailable') return { exitCode: EXIT.failed, message };
  return {
    exitCode: EXIT.unreachable,
    message: `${message.replace(/\.$/, '')}${causeText(error)}.`,
    hint:
      fixOf(error) ??
      'Check that it is running, and that DATABASE_URL, REDIS_URL and CORE_BASE_URL are correct.',
  };
}

function explainPending({ pending }: PendingMigrationsError): Failure {
  const count = pending.length === 1 ? '1 migration is' : `${pending.length} migrations are`;
  return {
    exitCode: EXIT.failed,
    message: `The database schema is behind: ${count} pending.`,
    hint: 'Run: latchkey migrate up',
  };
}

/** Returns the driver's message: it names the host or the account, never a password. */
function causeText({ cause }: AuthError): string {
  if (!(cause instanceof Error)) return '';
  if (cause.name === 'ZodError') return ' (the response has an unexpected form)';
  const root = cause.cause instanceof Error && !('fix' in cause) ? cause.cause : cause;
  const { code } = root as NodeJS.ErrnoException;
  const reason = root.message === '' ? code : root.message.trim().replace(/\.$/, '');
  return reason === undefined ? '' : ` (${reason})`;
}

/** Returns the instruction of a failure that lasts until something is changed, as a sentence. */
function fixOf({ cause }: AuthError): string | undefined {
  const fix: unknown = cause instanceof Error && 'fix' in cause ? cause.fix : undefined;
  return typeof fix === 'string' ? `${fix.charAt(0).toUpperCase()}${fix.slice(1)}.` : undefined;
}

const unexpected = (message: string): Failure => ({
  exitCode: EXIT.failed,
  message: `Unexpected error: ${message}`,
  hint: 'Run the command again with --verbose for details.',
});
