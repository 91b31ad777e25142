import type { z } from 'zod';

/** Returns a schema with an example value, whose type follows from the schema. */
export const example = <Schema extends z.ZodType>(
  schema: Schema,
  value: z.input<Schema>,
): [z.ZodType, unknown] => [schema, value];

export const USER_ID = '01a1f913-5cbd-734b-94db-49d386fffaf7';
export const COMPANY_ID = '33333333-3333-4333-8333-333333333333';
export const BUSINESS_UNIT_ID = '44444444-4444-4444-8444-444444444444';
export const EMAIL = 'ann@example.com';
export const PASSWORD = 'a long walk home';
