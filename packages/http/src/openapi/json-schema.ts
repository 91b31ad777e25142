/** A node of JSON Schema 2020-12, the dialect of OpenAPI 3.1, or another object of an OpenAPI document. */
export type JsonSchema = Record<string, unknown>;

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Rewrites every object of a JSON value, the innermost first. */
export function mapObjects(value: unknown, rewrite: (node: JsonSchema) => JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, rewrite));
  if (!isObject(value)) return value;
  const mapped = Object.entries(value).map(([key, inner]) => [key, mapObjects(inner, rewrite)] as const);
  return rewrite(Object.fromEntries(mapped));
}
