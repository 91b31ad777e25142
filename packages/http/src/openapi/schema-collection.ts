import { z } from 'zod';
import type { JsonSchema } from './json-schema.js';
import { publishedSchema } from './published-schema.js';

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
