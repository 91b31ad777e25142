import { z } from 'zod';

/**
 * Control characters, line breaks and the prefix of escape sequences among them, and separators of lines and
 * paragraphs. Marks of direction stay: names of several scripts may need them, and what shows a name defuses them.
 */
const UNFIT_FOR_NAMES = /[\p{Cc}\u2028\u2029]/u;

/** A name of at most `most` characters on one line, in letters of any language; comes out without spaces around it. */
export const nameInput = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .refine((text) => !UNFIT_FOR_NAMES.test(text), 'must not contain control characters or line breaks')
    // For descriptions: the space around it is dropped before its length is checked.
    .meta({ pattern: '\\S' });
