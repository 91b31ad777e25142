import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AuthError, FIELD_REASONS, type FieldFault } from '@latchkey/core';
import { checkInput } from '@latchkey/core/schemas';
import { allRoutes, type Route } from '@latchkey/express-adapter';
import { nameOf } from './support/route-request.js';
import { runsOf } from './support/scale.js';

/** Phrases of Zod's own messages; our messages use `must be`, `must have`, `is required`. */
const WORDS_OF_ZOD =
  /\b(Invalid|Too (small|big)|expected|received|Unrecognized|undefined)\b|[<>]=|\bNaN\b.*\bNaN\b|ZodError|\\[dw]/;

const BAD = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  Number.NaN,
  Infinity,
  '',
  ' ',
  'x',
  '\0',
  '\ud800',
  'x'.repeat(70_000),
  [],
  [1, ''],
  Array.from({ length: 600 }, () => 'x y'),
  {},
  { x: 1 },
  { ['k'.repeat(200)]: 'v', k: 5 },
  Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`k${index}`, 'v'])),
  new Date(Number.NaN),
];

const schemasOf = ({ body, query, params, headers }: Route): [string, z.ZodType][] =>
  Object.entries({ body, query, path: params, header: headers }).filter(
    (entry): entry is [string, z.ZodType] => entry[1] !== undefined,
  );

function refusal(schema: z.ZodType, input: unknown, where: string): AuthError | undefined {
  try {
    checkInput(schema, input, where);
    return undefined;
  } catch (error) {
    if (error instanceof AuthError) return error;
    throw error;
  }
}

const OPENING = /^(is |must |has |does not |at least one |contains |nested |a field name |goes with )/;
const POINTER = /^(\/([^~/]|~[01])*)*$/u;
const MOST_FIELDS = 50;

/** Asserts once for all fields: there are tens of thousands, and `expect` costs more than what it compares. */
function expectOurWords(refused: AuthError): void {
  const { length } = refused.fields;
  const isCounted = length > 0 && length <= MOST_FIELDS;
  const faults = refused.fields.flatMap((field) => faultsOf(field, refused.message));
  expect([...faults, ...(isCounted ? [] : [`${length} fields`])]).toEqual([]);
}

function faultsOf({ pointer, reason, message }: FieldFault, whole: string): string[] {
  const rules = {
    reason: FIELD_REASONS.includes(reason),
    pointer: POINTER.test(pointer),
    opening: OPENING.test(message),
    'words of Zod': !WORDS_OF_ZOD.test(message),
    'not in the whole message': whole.includes(message),
  };
  const broken = Object.entries(rules).filter(([, holds]) => !holds);
  return broken.map(([rule]) => `${rule}: ${pointer} ${reason} "${message}"`);
}

/** The fields of a schema, within objects, too, as paths. */
function pathsIn(schema: z.ZodType, path: string[] = []): string[][] {
  if (!(schema instanceof z.ZodObject)) return [path];
  const shape = schema.shape as Record<string, z.ZodType>;
  return [path, ...Object.entries(shape).flatMap(([key, inner]) => pathsIn(bare(inner), [...path, key]))];
}

function bare(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? bare(schema.unwrap() as z.ZodType)
    : schema;
}

const within = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);

describe.each(allRoutes.map((route) => [nameOf(route), route] as const))('%s', (_name, route) => {
  it.each(schemasOf(route))(
    'messages about a bad %s use our own words, and name each field',
    (where, schema) => {
      const inputs = pathsIn(schema).flatMap((path) => BAD.map((value) => within(path, value)));
      for (const refused of inputs.map((input) => refusal(schema, input, where))) {
        if (refused) expectOurWords(refused);
      }
    },
  );

  it.each(schemasOf(route))('messages about any %s use our own words', (where, schema) => {
    const keys = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    const value = fc.oneof(fc.anything(), fc.constantFrom(...BAD));
    const inputs = fc.dictionary(fc.constantFrom('other', ...keys), value);
    fc.assert(
      fc.property(inputs, (input) => {
        const refused = refusal(schema, input, where);
        if (refused) expectOurWords(refused);
      }),
      { numRuns: runsOf(50) },
    );
  });
});
