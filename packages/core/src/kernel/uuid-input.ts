import { z } from 'zod';
import { checkInput } from './check-input.js';

/**
 * A UUID of any version and any case; comes out lower-cased.
 * @example
 * ```ts
 * uuidInput.parse('018F4E6E-0000-7000-8000-00000000000A'); // → '018f4e6e-0000-7000-8000-00000000000a'
 * uuidInput.safeParse('acme').error?.issues[0]?.message; // → 'must be a UUID'
 * ```
 */
export const uuidInput = z.guid('must be a UUID').transform((text) => text.toLowerCase());

/** An id that stands for itself, in lower case. @throws AuthError `validation_error` that names it. */
export const checkId = (id: string, name = 'id'): string => checkInput(uuidInput, id, name);
