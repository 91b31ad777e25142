import type { AuthError } from './auth-error.js';
import { bytesOfBase64url } from './base64url.js';
import { isUuid } from './id.js';
import { fieldError } from './validation-error.js';

/** A position in a list that is ordered by time and id. */
export interface RowPosition {
  /** The time, microseconds since the epoch: a Date does not hold them. */
  microseconds: string;
  id: string;
}

/** Microseconds and transaction ids have at most 63 bits; these are less. One number has one form, so that a position has one cursor. */
export const CURSOR_NUMBER = String.raw`(?:0|[1-9]\d{0,17})`;
const POSITION = new RegExp(`^(${CURSOR_NUMBER})\\.([0-9a-f-]{36})$`);

/** Returns the cursor of a position: opaque text that is safe in a URL and in a header. */
export const cursorOf = (position: RowPosition): string => encodeCursor(positionText(position));

/** @throws AuthError `validation_error` for text that is not a cursor of ours. */
export const positionOf = (cursor: string): RowPosition => readPosition(decodeCursor(cursor));

export const positionText = ({ microseconds, id }: RowPosition): string => `${microseconds}.${id}`;

/** @throws AuthError `validation_error` for text that is not a position. */
export function readPosition(text: string): RowPosition {
  const [, microseconds = '', id = ''] = POSITION.exec(text) ?? [];
  if (!isUuid(id)) throw invalidCursor();
  return { microseconds, id };
}

export const encodeCursor = (text: string): string => Buffer.from(text).toString('base64url');
/** Returns text that matches nothing for what is not exactly a cursor. */
export const decodeCursor = (cursor: string): string => bytesOfBase64url(cursor)?.toString() ?? '';

export const invalidCursor = (): AuthError =>
  fieldError('cursor', 'format', 'is invalid; use the one that a previous page returned');
