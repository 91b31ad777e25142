import { mapObjects, type JsonSchema } from './json-schema.js';

/**
 * Turns what zod says of a schema into what readers of a document need: without bounds that every number has, with each
 * field of a record whose keys are fixed, and open to fields that later versions add to answers.
 */
export function publishedSchema(schema: JsonSchema, io: 'input' | 'output'): JsonSchema {
  const steps = io === 'output' ? [...ALWAYS, withoutSpelledFormat, withoutClosing] : ALWAYS;
  return mapObjects(schema, (node) => steps.reduce((current, step) => step(current), node)) as JsonSchema;
}

type Step = (node: JsonSchema) => JsonSchema;

/** Drops the limits of JavaScript's integers. */
const withoutSafeBounds: Step = ({ minimum, maximum, ...rest }) => ({
  ...rest,
  ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
  ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
});

/** Drops `propertyNames` that say nothing: the keys of an object are text. */
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

/** Drops a pattern that spells a format out: whoever checks an answer knows the format. */
const withoutSpelledFormat: Step = (node) => {
  const { pattern: _pattern, ...rest } = node;
  return typeof node.format === 'string' ? rest : node;
};

/** Leaves room for fields that are added later. */
const withoutClosing: Step = (node) => {
  const { additionalProperties: _closed, ...rest } = node;
  return node.additionalProperties === false ? rest : node;
};

const ALWAYS: readonly Step[] = [withoutSafeBounds, withoutPlainNames, withFixedKeys];
