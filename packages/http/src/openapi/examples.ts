import { z } from 'zod';
import { ANSWER_EXAMPLES } from './answer-examples.js';
import { API_KEY_EXAMPLES } from './api-key-examples.js';
import { BODY_EXAMPLES } from './body-examples.js';
import { COMPANY_EXAMPLES } from './company-examples.js';
import { EXTERNAL_EXAMPLES } from './external-examples.js';
import type { JsonSchema } from './json-schema.js';
import { MAILED_LINK_EXAMPLES } from './mailed-link-examples.js';
import { OPERATIONS_EXAMPLES } from './operations-examples.js';
import { PERSONAL_DATA_EXAMPLES } from './personal-data-examples.js';
import { PICTURE_EXAMPLES } from './picture-examples.js';
import { ROLE_EXAMPLES } from './role-examples.js';
import { TRUSTED_DEVICE_EXAMPLES } from './trusted-device-examples.js';
import { WEBHOOK_EXAMPLES } from './webhook-examples.js';

const EXAMPLES = new Map<z.ZodType, unknown>([
  ...BODY_EXAMPLES,
  ...ANSWER_EXAMPLES,
  ...OPERATIONS_EXAMPLES,
  ...PERSONAL_DATA_EXAMPLES,
  ...API_KEY_EXAMPLES,
  ...COMPANY_EXAMPLES,
  ...EXTERNAL_EXAMPLES,
  ...MAILED_LINK_EXAMPLES,
  ...PICTURE_EXAMPLES,
  ...ROLE_EXAMPLES,
  ...TRUSTED_DEVICE_EXAMPLES,
  ...WEBHOOK_EXAMPLES,
]);

/**
 * Returns the example of a schema: a listed one, otherwise the one in its metadata, otherwise that of its elements.
 * @throws TypeError for a schema without an example.
 */
export function exampleOf(schema: z.ZodType): unknown {
  const { id = 'a schema', examples } = schema.meta() ?? {};
  const known: unknown = EXAMPLES.get(schema) ?? (examples as unknown[] | undefined)?.[0];
  if (known !== undefined) return known;
  if (schema instanceof z.ZodArray) return [exampleOf(schema.element as z.ZodType)];
  if (schema instanceof z.ZodObject && Object.keys(schema.shape).length === 0) return {};
  throw new TypeError(
    `There is no example of ${id}: add one to openapi/answer-examples.ts or body-examples.ts.`,
  );
}

/** Returns the examples of a media type: one, or one for each variant of a union. */
export function examplesOf(schema: z.ZodType, wrap = (value: unknown): unknown => value): JsonSchema {
  if (!(schema instanceof z.ZodUnion)) return { example: wrap(exampleOf(schema)) };
  const forms = schema.options as z.ZodType[];
  const named = forms.map((form) => [form.meta()?.id ?? 'other', { value: wrap(exampleOf(form)) }] as const);
  return { examples: Object.fromEntries(named) };
}
