import { fieldNameOf, pointerOf, type FieldFault } from './field-fault.js';

/** Maximum depth of JSON: no input of ours is deeper, and traversing it must not exhaust the stack. */
const MAX_DEPTH = 32;

/**
 * A NUL, which PostgreSQL cannot store, or half of a surrogate pair, which no encoding can carry.
 * @example
 * ```ts
 * isCleanText('Zoë 🌷'); // → true
 * isCleanText('half a pair: \uD83C'); // → false
 * ```
 */
export function isCleanText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Maximum number of faults: a library's caller may pass a value that contains itself. */
const MOST_FOUND = 50;

/**
 * Returns the first fault of the strings, keys and depth of a JSON value, with its position; undefined if
 * there is none.
 * @example
 * ```ts
 * findUncleanText({ user: { fullName: 'Ann\u0000' } }); // → 'user.fullName: contains a NUL or an unpaired surrogate'
 * findUncleanText(['all', 'is', 'well']); // → undefined
 * ```
 */
export function findUncleanText(value: unknown): string | undefined {
  const [fault] = uncleanFields(value);
  return fault && `${fieldNameOf(fault.pointer) || 'body'}: ${fault.message}`;
}

/**
 * Returns the faults that `findUncleanText` looks for, in every field. @param pointer that of the value
 * itself.
 */
export function uncleanFields(value: unknown, pointer = ''): FieldFault[] {
  const found: FieldFault[] = [];
  // Nearly every input is clean: pointers are made for the others only.
  if (!isClean(value, 0)) collect(value, pointer, 0, found);
  return found;
}

function isClean(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isCleanText(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === MAX_DEPTH) return false;
  for (const [key, inner] of Object.entries(value)) {
    if (!isCleanText(key) || !isClean(inner, depth + 1)) return false;
  }
  return true;
}

function collect(value: unknown, pointer: string, depth: number, found: FieldFault[]): void {
  if (typeof value === 'string') {
    if (!isCleanText(value)) found.push({ pointer, reason: 'characters', message: UNCLEAN });
  } else if (typeof value === 'object' && value !== null) {
    if (depth === MAX_DEPTH) found.push({ pointer, reason: 'too_long', message: TOO_DEEP });
    else collectWithin(value, pointer, depth + 1, found);
  }
}

function collectWithin(value: object, pointer: string, depth: number, found: FieldFault[]): void {
  for (const [key, inner] of Object.entries(value)) {
    if (found.length >= MOST_FOUND) return;
    if (isCleanText(key)) collect(inner, pointer + pointerOf([key]), depth, found);
    else found.push({ pointer, reason: 'characters', message: `a field name ${UNCLEAN}` });
  }
}

const UNCLEAN = 'contains a NUL or an unpaired surrogate';
const TOO_DEEP = `nested deeper than ${MAX_DEPTH} levels`;
