import { AuthError } from '../kernel/auth-error.js';
import { userErased } from '../kernel/user-erased.js';
import { databaseFaultOf } from './database-fault.js';
import { removeRowContents } from './row-contents.js';

/** SQLSTATE classes (first two characters, PostgreSQL appendix A) that mean the database cannot serve now. */
const UNAVAILABLE_CLASSES = new Set(['08', '28', '40', '53', '57', '58']);

/**
 * Single codes with the same meaning: read-only transaction, idle in transaction, lock not available, unknown
 * database (a restore in progress), lost prepared statement.
 */
const UNAVAILABLE_CODES = new Set(['25006', '25P03', '55P03', '3D000', '26000']);

/** Node's error codes for a peer that cannot be reached. */
const SOCKET_CODES = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Errors of pg, pg-pool and knex that carry no code. knex puts the SQL and ` - ` in front of the text. */
const UNAVAILABLE_MESSAGE = new RegExp(
  '(?:^| - )(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|' +
    'Client has encountered a connection error|Client was closed and is not queryable|' +
    'Cannot use a pool after calling end|Unable to acquire a connection)',
);

/** Values the database cannot store: too long, NUL, not a UUID, out of range, a failed check. */
const INVALID_INPUT = new Set(['22001', '22003', '22007', '22008', '22021', '22P02', '22P05', '23514']);

/** Raised by triggers for a write about a user whose personal data was erased. */
const USER_ERASED = 'LK001';

/** A foreign key that protects a row from removal, after the SQL that knex puts in front. */
const STILL_IN_USE = /(?:^| - )update or delete on table/;

interface CodedError {
  code?: unknown;
  constraint?: unknown;
}

/**
 * Returns our error for a failure of pg, pg-pool or knex; the only place that translates them. An `AuthError`
 * and unknown errors (a syntax error, a defect in a callback) are returned unchanged, but without the
 * contents of rows.
 */
export function mapDatabaseError(error: unknown): unknown {
  removeRowContents(error);
  if (AuthError.is(error) || !(error instanceof Error)) return error;
  const fault = databaseFaultOf(error);
  if (fault) return AuthError.unavailable('The database is not available at the moment.', fault);
  const code = databaseErrorCode(error);
  if (isUnavailable(error, code)) {
    return AuthError.unavailable('The database is not available at the moment.', error);
  }
  if (code === '23505' || code === '23P01') {
    return new AuthError('conflict', 'A record with these values already exists.', {
      reason: 'value_taken',
      cause: error,
    });
  }
  if (code === USER_ERASED) return userErased(error);
  if (code === '23503') return foreignKeyError(error);
  if (code !== undefined && INVALID_INPUT.has(code)) {
    return new AuthError('validation_error', 'A value cannot be stored.', { cause: error });
  }
  return error;
}

/** Returns the name of the constraint that rejected a write, so that a repository can report the cause. */
export function violatedConstraint(error: unknown): string | undefined {
  const source: CodedError = originOf(error);
  return typeof source.constraint === 'string' ? source.constraint : undefined;
}

/** Returns the SQLSTATE, or Node's code for a socket error, also if the error was mapped already. */
export function databaseErrorCode(error: unknown): string | undefined {
  const { code }: CodedError = originOf(error);
  return typeof code === 'string' ? code : undefined;
}

/** A server of a list that was reached but does not accept writes: a standby, or a primary that was demoted. */
export class ReadOnlyServerError extends Error {
  override readonly name = 'ReadOnlyServerError';
  readonly code = '25006';

  /** @param host without user and password. */
  constructor(host: string) {
    super(`${host} does not accept writes`);
  }
}

/** Returns true if a pool had no free connection in time, which says nothing about the server. */
export const isPoolExhausted = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect';

/**
 * Returns true if a connection may succeed a moment later: the server is not reachable, starts up or shuts down, or does
 * not accept writes. Wrong passwords and unknown databases stay wrong.
 */
export function isHostUnusable(error: unknown): boolean {
  const code = databaseErrorCode(error);
  if (code === undefined) return error instanceof Error && isUnavailable(error, code);
  return SOCKET_CODES.has(code) || code === '25006' || code.startsWith('57P') || code.startsWith('53');
}

/** Returns true if the server has answered and refuses the account, its password or its rights. */
export function isDatabaseRefusal(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return code === '42501' || code?.startsWith('28') === true;
}

/** Returns true if the same transaction may succeed when run again: serialization failure or deadlock. */
export function isTransactionRetryable(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return code === '40001' || code === '40P01';
}

/** Returns true if a prepared statement of this connection is lost or stale (a migration, a pooler). */
export function isPreparedStatementLost(error: unknown): boolean {
  const code = databaseErrorCode(error);
  if (code === '26000' || code === '42P05') return true;
  return code === '0A000' && error instanceof Error && error.message.includes('cached plan');
}

/**
 * Returns true if the connection that met this error must not be used again: it is dead, is still busy with
 * an abandoned statement, leads to a server that became a standby, or has lost its prepared statements.
 */
export function spoilsConnection(error: unknown): boolean {
  if (isPreparedStatementLost(error)) return true;
  const code = databaseErrorCode(error);
  if (code === undefined) return error instanceof Error && isUnavailable(error, code);
  return (
    SOCKET_CODES.has(code) || code.startsWith('08') || code.startsWith('57P') || /^25(?:006|P03)$/.test(code)
  );
}

function isUnavailable(error: Error, code: string | undefined): boolean {
  if (code === undefined) return error.name === 'KnexTimeoutError' || UNAVAILABLE_MESSAGE.test(error.message);
  if (SOCKET_CODES.has(code) || UNAVAILABLE_CODES.has(code) || UNAVAILABLE_CLASSES.has(code.slice(0, 2)))
    return true;
  // A missing unix socket reports ENOENT or EACCES; the failed call distinguishes it from a missing file.
  return 'syscall' in error && error.syscall === 'connect';
}

function foreignKeyError(error: Error): AuthError {
  return STILL_IN_USE.test(error.message)
    ? new AuthError('conflict', 'The record is still in use.', { reason: 'record_in_use', cause: error })
    : new AuthError('not_found', 'A record that this one refers to was not found.', { cause: error });
}

function originOf(error: unknown): object {
  const source = AuthError.is(error) ? error.cause : error;
  return typeof source === 'object' && source !== null ? source : {};
}
