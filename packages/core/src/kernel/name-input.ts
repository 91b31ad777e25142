import { z } from 'zod';

/**
 * Control characters (line breaks and the beginning of escape sequences are among them), separators of lines and
 * paragraphs, and the marks that turn the text around them; names in any script do without.
 */
const UNFIT_FOR_NAMES = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** A name of at most `most` characters on one line, in letters of any language; comes out without spaces around it. */
export const nameInput = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .refine(
      (text) => !UNFIT_FOR_NAMES.test(text),
      'must not contain control characters, line breaks or marks that change the direction of text',
    )
    // For descriptions: the space around it is dropped before its length is checked.
    .meta({ pattern: '\\S' });
