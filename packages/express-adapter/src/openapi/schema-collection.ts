import { z } from 'zod';
import type { JsonSchema } from './json-schema.js';
import { publishedSchema } from './published-schema.js';

/** Where named schemas stand in an OpenAPI document. */
const COMPONENTS = '#/components/schemas/';

/**
 * Turns the schemas of the routes into JSON Schema 2020-12, the dialect of OpenAPI 3.1. Named ones become components,
 * written once and referred to.
 */
export class SchemaCollection {
  readonly #components = new Map<string, JsonSchema>();

  /** What a client sends: defaults are optional, and types are those before any transformation. */
  input(schema: z.ZodType): JsonSchema {
    return this.#convert(schema, 'input');
  }

  /** What a client gets. */
  output(schema: z.ZodType): JsonSchema {
    return this.#convert(schema, 'output');
  }

  /** Every named schema met so far, by name. */
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

/** zod refers to `#/$defs/Name`; in a document the same name stands among the components. */
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
