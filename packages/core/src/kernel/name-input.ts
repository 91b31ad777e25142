import { z } from 'zod';

/**
 * Control characters, among them line breaks and the start of escape sequences, and separators of lines and
 * paragraphs. Direction marks are allowed: names of several scripts may need them, and the code that shows a
 * name neutralises them.
 */
const UNFIT_FOR_NAMES = /[\p{Cc}\u2028\u2029]/u;

/**
 * Returns the schema of a name of at most `most` characters on one line, in letters of any language; it trims
 * the spaces.
 */
export const nameInput = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .refine((text) => !UNFIT_FOR_NAMES.test(text), 'must not contain control characters or line breaks')
    // For descriptions: the name is trimmed before its length is checked.
    .meta({ pattern: '\\S' });
