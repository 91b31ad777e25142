import { mapObjects, type JsonSchema } from './json-schema.js';

/**
 * Converts the JSON Schema of zod for publication: without the bounds that every number has, with each field of a record
 * with fixed keys, and open to fields that later versions add to responses.
 */
export function publishedSchema(schema: JsonSchema, io: 'input' | 'output'): JsonSchema {
  const steps = io === 'output' ? [...ALWAYS, withoutFormatPattern, withoutClosedObjects] : ALWAYS;
  return mapObjects(schema, (node) => steps.reduce((current, step) => step(current), node)) as JsonSchema;
}

type Step = (node: JsonSchema) => JsonSchema;

/** Drops the limits of JavaScript's integers. */
const withoutSafeBounds: Step = ({ minimum, maximum, ...rest }) => ({
  ...rest,
  ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
  ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
});

/** Drops redundant `propertyNames`: the keys of an object are always strings. */
const withoutPlainNames: Step = ({ propertyNames, ...rest }) =>
  propertyNames === undefined || JSON.stringify(propertyNames) === '{"type":"string"}'
    ? rest
    : { propertyNames, ...rest };

/** Defines the properties that a record with fixed keys requires. */
function withFixedKeys(node: JsonSchema): JsonSchema {
  const { propertyNames, additionalProperties, required, ...rest } = node;
  if (propertyNames === undefined || !Array.isArray(required)) return node;
  const properties = Object.fromEntries(required.map((name: string) => [name, additionalProperties]));
  return { ...rest, properties, required };
}

/** Drops a pattern that repeats the format. */
const withoutFormatPattern: Step = (node) => {
  const { pattern: _pattern, ...rest } = node;
  return typeof node.format === 'string' ? rest : node;
};

/** Allows fields that later versions add. */
const withoutClosedObjects: Step = (node) => {
  const { additionalProperties: _closed, ...rest } = node;
  return node.additionalProperties === false ? rest : node;
};

const ALWAYS: readonly Step[] = [withoutSafeBounds, withoutPlainNames, withFixedKeys];
