import type { z } from 'zod';

/** Returns a schema with an example value, whose type follows from the schema. */
export const example = <Schema extends z.ZodType>(
  schema: Schema,
  value: z.input<Schema>,
): [z.ZodType, unknown] => [schema, value];

export const USER_ID = '01a1f913-5cbd-734b-94db-49d386fffaf7';
export const COMPANY_ID = '33333333-3333-4333-8333-333333333333';
export const BUSINESS_UNIT_ID = '44444444-4444-4444-8444-444444444444';
/** The challenge of a sign-in that needs a second factor. */
export const CHALLENGE = 'lkc_7Qz0bXw1…';
export const FACTOR_ID = '01a1f913-6a20-7c11-8d0e-2f6b1c9a4e57';
export const EMAIL = 'ann@example.com';
