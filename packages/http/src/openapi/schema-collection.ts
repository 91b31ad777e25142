import { z } from 'zod';
import { mapObjects, type JsonSchema } from './json-schema.js';

/**
 * Converts the JSON Schema of zod for publication: without the bounds that every number has, with each field of a record
 * with fixed keys, and open to fields that later versions add to responses.
 */
function publishedSchema(schema: JsonSchema, io: 'input' | 'output'): JsonSchema {
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

/** The path of named schemas in an OpenAPI document. */
const COMPONENTS = '#/components/schemas/';

/**
 * Converts the schemas of routes to JSON Schema 2020-12, the dialect of OpenAPI 3.1. Named schemas become components,
 * which are defined once and referenced.
 */
export class SchemaCollection {
  readonly #components = new Map<string, JsonSchema>();

  /** Returns the schema of request data: fields with defaults are optional, types are those before transformations. */
  input(schema: z.ZodType): JsonSchema {
    return this.#convert(schema, 'input');
  }

  /** Returns the schema of response data. */
  output(schema: z.ZodType): JsonSchema {
    return this.#convert(schema, 'output');
  }

  /** All named schemas so far, by name. */
  get components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => a.localeCompare(b)));
  }

  #convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const converted = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;
    const { $schema: _dialect, $defs, id, ...rest } = converted;
    for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, JsonSchema>)) {
      this.#add(name, publishedSchema(definition, io));
    }
    const published = publishedSchema(rest, io);
    if (typeof id !== 'string') return pointAtComponents(published) as JsonSchema;
    this.#add(id, published);
    return { $ref: COMPONENTS + id };
  }

  #add(name: string, schema: JsonSchema): void {
    const { id: _id, ...rest } = schema;
    this.#components.set(name, pointAtComponents(rest) as JsonSchema);
  }
}

/** Replaces references of zod to `#/$defs/Name` by references to the components. */
function pointAtComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointAtComponents);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? inner.replace('#/$defs/', COMPONENTS)
        : pointAtComponents(inner),
    ]),
  );
}
