import fc from 'fast-check';

type Schema = Record<string, unknown>;

/** Keywords that say nothing about which values are valid, or that their neighbours take care of. */
const READ = new Set([
  ...['type', 'enum', 'const', 'anyOf', 'oneOf', '$ref', 'not', 'default', 'description', 'examples'],
  ...['format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'],
  ...['items', 'minItems', 'maxItems', 'properties', 'required', 'minProperties', 'maxProperties'],
  ...['propertyNames', 'additionalProperties', 'dependentRequired'],
]);

/** Lengths beyond this are tested where they are the subject; here they only make requests large. */
const LONGEST = 60;

/**
 * Returns values that a schema of an OpenAPI document allows, in no other way than the schema says.
 * @throws Error for a keyword that it does not know, so that no rule of the document goes unseen.
 */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  const unknown = Object.keys(schema).filter((keyword) => !READ.has(keyword));
  if (unknown.length > 0) throw new Error(`valuesOf does not know ${unknown.join(', ')}`);
  const forms = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (forms) return fc.oneof(...forms.map(valuesOf));
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  return ofType(schema);
}

function ofType(schema: Schema): fc.Arbitrary<unknown> {
  const { minimum = -(2 ** 31), maximum = 2 ** 31 - 1 } = schema as { minimum?: number; maximum?: number };
  switch (schema.type) {
    case 'string':
      return texts(schema);
    case 'integer':
      return fc.integer({ min: minimum, max: maximum });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valuesOf(schema.items as Schema), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: 3,
      });
    case 'object':
      return objects(schema);
    case undefined:
      return fc.jsonValue({ maxDepth: 2 });
    default:
      throw new Error(`valuesOf does not know the type ${JSON.stringify(schema.type)}`);
  }
}

function texts(schema: Schema): fc.Arbitrary<string> {
  const {
    format,
    pattern = '',
    minLength = 0,
    maxLength = LONGEST,
  } = schema as {
    format?: string;
    pattern?: string;
    minLength?: number;
    maxLength?: number;
  };
  const isPermitted = (text: string): boolean =>
    new RegExp(pattern, 'u').test(text) && text.length >= minLength && text.length <= maxLength;
  return anyText(format, pattern, Math.min(maxLength, LONGEST)).filter(isPermitted);
}

function anyText(format: string | undefined, pattern: string, maxLength: number): fc.Arbitrary<string> {
  switch (format) {
    case 'email':
      return fc.emailAddress();
    case 'uuid':
      return fc.uuid();
    case 'uri':
      return fc.webUrl({ withQueryParameters: true });
    case 'date-time':
      return fc
        .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
        .map((date) => date.toISOString());
    case 'password':
    case undefined:
      return pattern.startsWith('^') && pattern.endsWith('$')
        ? fc.stringMatching(new RegExp(pattern), { maxLength })
        : fc.string({ unit: 'grapheme-ascii', maxLength });
    default:
      throw new Error(`valuesOf does not know the format ${format}`);
  }
}

function objects(schema: Schema): fc.Arbitrary<object> {
  const {
    properties = {},
    required = [],
    minProperties = 0,
    maxProperties = Infinity,
    dependentRequired = {},
  } = schema as {
    properties?: Record<string, Schema>;
    required?: string[];
    minProperties?: number;
    maxProperties?: number;
    dependentRequired?: Record<string, string[]>;
  };
  const { propertyNames = { type: 'string' }, additionalProperties } = schema as {
    propertyNames?: Schema;
    additionalProperties?: Schema;
  };
  const possible = Object.entries(properties).filter(([, inner]) => !('not' in inner));
  const fields = Object.fromEntries(possible.map(([name, inner]) => [name, valuesOf(inner)]));
  const named = fc.record(fields, { requiredKeys: required });
  if (additionalProperties === undefined)
    return named.filter((value) => {
      const { length } = Object.keys(value);
      return length >= minProperties && length <= maxProperties && meets(dependentRequired, value);
    });
  return fc.dictionary(texts(propertyNames), valuesOf(additionalProperties), { maxKeys: 3 });
}

/** Reports whether an object has the properties that others of it require (JSON Schema 2020-12 Validation, section 6.5.4). */
const meets = (rules: Record<string, string[]>, value: object): boolean =>
  Object.entries(rules).every(
    ([name, others]) => !(name in value) || others.every((other) => other in value),
  );
