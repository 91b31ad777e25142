import type { z } from 'zod';
import { AuthError } from '@latchkey/core';

/** Returns the parsed value. @throws AuthError `validation_error`, with a reason for each invalid field. */
export function parsed<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw AuthError.validation(faults.join('; '));
}
