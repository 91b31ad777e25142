/**
 * Every `reason` why a field is refused. The list is closed.
 * @example
 * ```ts
 * FIELD_REASONS.includes('too_short'); // → true
 * ```
 */
export const FIELD_REASONS = [
  /** Is missing. */
  'required',
  /** Is of another type, such as a number in place of text. */
  'type',
  /** Does not have the form that is asked for, such as that of an email address. */
  'format',
  /** Has too few characters or elements. */
  'too_short',
  /** Has too many characters, bytes, elements or levels. */
  'too_long',
  /** Is a number below the least one. */
  'too_small',
  /** Is a number above the greatest one. */
  'too_big',
  /** Is none of the values that are allowed, or may not be there together with another field. */
  'not_allowed',
  /** Contains characters that no text may contain. */
  'characters',
  /** Is given more than once. */
  'repeated',
  /** Is a password that is used by many, or the name of the product. */
  'too_common',
  /** Is a password that is part of the account's email address. */
  'like_email',
] as const;

/**
 * Why a field is refused: one of `FIELD_REASONS`.
 * @example
 * ```ts
 * const TEXTS: Partial<Record<FieldReason, string>> = { required: 'Please fill this in.' };
 * TEXTS.required; // → 'Please fill this in.'
 * ```
 */
export type FieldReason = (typeof FIELD_REASONS)[number];

/**
 * A field that is refused.
 * @example
 * ```ts
 * const fault: FieldFault = { pointer: '/email', reason: 'format', message: 'must be an email address' };
 * new AuthError('validation_error', `email: ${fault.message}`, { fields: [fault] }).fields[0]?.reason; // → 'format'
 * ```
 */
export interface FieldFault {
  /**
   * The field within what was sent, as JSON pointer (RFC 6901): `/delegation/grantableModules/0`. A parameter of the path or
   * query, and a header, is `/` and its name; the whole body is the empty text.
   */
  readonly pointer: string;
  readonly reason: FieldReason;
  /** What is wrong, for people, to be read after the name of the field. May change at any time. */
  readonly message: string;
}

/** Returns the JSON pointer of a path of keys. */
export const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Names the field of a pointer as messages do: `delegation.grantableModules.0`; empty for the whole input. */
export const fieldNameOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
