import { z } from 'zod';
import { checkInput } from './check-input.js';

/** Schema of a UUID of any version and any case; it lower-cases the id. */
export const uuidInput = z.guid('must be a UUID').transform((text) => text.toLowerCase());

/**
 * Returns an id that is an input of its own, in lower case. @throws AuthError `validation_error` that names
 * it.
 */
export const checkId = (id: string, name = 'id'): string => checkInput(uuidInput, id, name);
