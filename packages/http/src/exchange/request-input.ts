import { z } from 'zod';
import { AuthError } from '@latchkey/core';
import { isCleanText, uuidInput } from '@latchkey/core/schemas';
import type { HttpRequest } from './http-request.js';
import { queryOf } from './query-of.js';

/** The header with the company of a request. */
export const companyContext = z.object({ 'x-org': uuidInput.describe('Id of the company.') });

/** Returns the schema of the path parameter `id`. */
export const idOf = (noun: string) => z.object({ id: uuidInput.describe(`Id of the ${noun}.`) });

/** Returns the query of a request. @throws AuthError `validation_error` for repeated keys and unclean text. */
export function readQuery(request: HttpRequest): Record<string, string> {
  assertDecodable(request.query);
  const query: Record<string, string> = {};
  for (const [key, value] of Object.entries(queryOf(request))) {
    if (typeof value !== 'string') throw repeated('query', key.slice(0, 50));
    if (!isCleanText(key) || !isCleanText(value)) throw AuthError.validation('query: contains a NUL');
    query[key] = value;
  }
  return query;
}

/** Rejects path parameters with unclean text. @throws AuthError `validation_error` */
export function assertCleanParams(params: Readonly<Record<string, string>>): void {
  const key = Object.keys(params).find((name) => !isCleanText(params[name] ?? ''));
  if (key === undefined) return;
  throw AuthError.validation(`path: ${key} is malformed`, {
    fields: [{ pointer: `/${key}`, reason: 'characters', message: 'is malformed' }],
  });
}

/**
 * Returns a header. Node silently keeps only the first of repeated `Authorization` headers, while a proxy in front may
 * have checked another one, so none of them is accepted.
 * @throws AuthError `validation_error` when the header is given more than once, or may have been.
 */
export function readHeader(request: HttpRequest, name: string): string | undefined {
  const values = request.valuesOf(name.toLowerCase());
  if (values.length > 1) throw repeated('header', name);
  return values[0];
}

const repeated = (where: 'query' | 'header', name: string): AuthError =>
  AuthError.validation(`${where}: ${name} is given more than once`, {
    fields: [{ pointer: `/${name}`, reason: 'repeated', message: 'is given more than once' }],
  });

/** Returns the headers that a schema names. */
export function readHeaders(
  schema: z.ZodObject,
  request: { header(name: string): string | undefined },
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => {
      const value = request.header(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** Rejects bytes that are not UTF-8, which the query parser would replace. */
function assertDecodable(query: string): void {
  if (!query.includes('%')) return;
  try {
    decodeURIComponent(query);
  } catch {
    throw AuthError.validation('query: is not valid percent-encoded UTF-8');
  }
}
