/** Every `reason` for which a field is rejected. The list is closed. */
export const FIELD_REASONS = [
  /** Is missing. */
  'required',
  /** Is of another type, such as a number in place of text. */
  'type',
  /** Does not have the required format, such as that of an email address. */
  'format',
  /** Has too few characters or elements. */
  'too_short',
  /** Has too many characters, bytes, elements or levels. */
  'too_long',
  /** Is a number below the minimum. */
  'too_small',
  /** Is a number above the maximum. */
  'too_big',
  /** Is not one of the allowed values, or is not allowed together with another field. */
  'not_allowed',
  /** Contains characters that no text may contain. */
  'characters',
  /** Is given more than once. */
  'repeated',
  /** Is a password that is used by many, or the name of the product. */
  'too_common',
  /** Is a password that is part of the account's email address. */
  'like_email',
  /** Is a password that is known from a data breach. */
  'breached',
] as const;

/** The reason for which a field is rejected: one of `FIELD_REASONS`. */
export type FieldReason = (typeof FIELD_REASONS)[number];

/** A rejected field. */
export interface FieldFault {
  /**
   * The field within the input, as JSON pointer (RFC 6901): `/delegation/grantableModules/0`. For a parameter
   * of the path or query and for a header it is `/` and its name; for the whole body it is the empty text.
   */
  readonly pointer: string;
  readonly reason: FieldReason;
  /** The fault as text for people, to be read after the name of the field. May change at any time. */
  readonly message: string;
}

/** Returns the JSON pointer of a path of keys. */
export const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/**
 * Returns the name of the field as messages use it: `delegation.grantableModules.0`; empty for the whole
 * input.
 */
export const fieldNameOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
