import type { AuthError } from '../kernel/auth-error.js';
import { bytesOfBase64url } from '../kernel/base64url.js';
import { isUuid } from '../kernel/id.js';
import { fieldError } from '../kernel/validation-error.js';
import type { AuditHorizon, AuditPosition } from './audit-list-repository.js';

/** The place of a reader that follows the log. */
export interface TailPosition {
  /** The reader has seen what had been committed then. */
  seen: AuditHorizon;
  /** While what came later is read in several pages: the horizon of the first one, and the end of the last one. */
  reading: { horizon: AuditHorizon; after: AuditPosition } | undefined;
}

/** Microseconds and transaction ids have at most 63 bits; these are less. One number has one form, so that a position has one cursor. */
const NUMBER = String.raw`(?:0|[1-9]\d{0,17})`;
const POSITION = new RegExp(`^(${NUMBER})\\.([0-9a-f-]{36})$`);
const TAIL = new RegExp(`^t\\.(${NUMBER})\\.(${NUMBER})(?:\\.(${NUMBER})\\.(${NUMBER})\\.(.+))?$`);

/** Returns the cursor of a position: opaque text that is safe in a URL and in a header. */
export const textOf = (position: AuditPosition): string => encode(plainTextOf(position));

/** @throws AuthError `validation_error` for text that is not a cursor of ours. */
export const positionOf = (cursor: string): AuditPosition => readPosition(decode(cursor));

/** Returns the cursor of a reader that follows the log. */
export function tailTextOf({ seen, reading }: TailPosition): string {
  const parts = ['t', seen.microseconds, seen.transactionId];
  if (reading) {
    const { horizon, after } = reading;
    parts.push(horizon.microseconds, horizon.transactionId, plainTextOf(after));
  }
  return encode(parts.join('.'));
}

/** @throws AuthError `validation_error` for text that is not the cursor of a reader that follows the log. */
export function tailPositionOf(cursor: string): TailPosition {
  const [, microseconds, transactionId, readAt, readId, after] = TAIL.exec(decode(cursor)) ?? [];
  if (microseconds === undefined || transactionId === undefined) throw invalidCursor();
  const seen = { microseconds, transactionId };
  if (readAt === undefined || readId === undefined || after === undefined)
    return { seen, reading: undefined };
  const horizon = { microseconds: readAt, transactionId: readId };
  return { seen, reading: { horizon, after: readPosition(after) } };
}

function readPosition(text: string): AuditPosition {
  const [, microseconds = '', id = ''] = POSITION.exec(text) ?? [];
  if (!isUuid(id)) throw invalidCursor();
  return { microseconds, id };
}

const plainTextOf = ({ microseconds, id }: AuditPosition): string => `${microseconds}.${id}`;
const encode = (text: string): string => Buffer.from(text).toString('base64url');
/** Returns text that matches nothing for what is not exactly a cursor. */
const decode = (cursor: string): string => bytesOfBase64url(cursor)?.toString() ?? '';

const invalidCursor = (): AuthError =>
  fieldError('cursor', 'format', 'is invalid; use the one that a previous page returned');
