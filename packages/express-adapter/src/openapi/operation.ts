import type { z } from 'zod';
import type { Security } from '../callers/caller.js';
import type { Route } from '../http/route.js';
import type { JsonSchema } from './json-schema.js';
import type { SchemaCollection } from './schema-collection.js';

type Credentials = Record<string, string[]>;

const PERSON: Credentials[] = [{ accessToken: [] }];
const PERSON_OR_COOKIE: Credentials[] = [...PERSON, { accessCookie: [], authMode: [] }];
const MACHINE: Credentials[] = [{ internalKey: [] }, { serviceToken: [] }];

function securityOf(security: Security, cookieMode: boolean): Credentials[] {
  const person = cookieMode ? PERSON_OR_COOKIE : PERSON;
  switch (security) {
    case 'none':
      return [];
    case 'bearer':
      return person;
    case 'internal-key':
      return MACHINE;
    case 'internal-key-or-bearer':
      return [...MACHINE, ...person];
  }
}

/** One route as an OpenAPI operation. */
export function operationOf(route: Route, schemas: SchemaCollection, cookieMode: boolean): JsonSchema {
  return {
    operationId: operationId(route),
    tags: [tagOf(route.path)],
    summary: route.summary,
    security: securityOf(route.caller.security, cookieMode),
    parameters: parametersOf(route, schemas),
    ...(route.body && { requestBody: requestBody(route, route.body, schemas) }),
    responses: {
      [route.status]: success(route, schemas),
      ...(isLimited(route) && { 429: { $ref: '#/components/responses/RateLimited' } }),
      ...(route.atMost !== undefined && { 429: tooMany(route.atMost) }),
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

/** Machine routes count wrong keys. */
const isLimited = ({ limit, caller }: Route): boolean =>
  limit !== undefined || caller.security.startsWith('internal-key');

/** `getAuthMe`, `postInternalAdminUsersIdSessions`: stable, and unique because method and path are. */
function operationId({ method, path }: Route): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** The first part of the path: `auth`, `internal`, `platform` for the rest. */
function tagOf(path: string): string {
  const [, first = '', second] = path.split('/');
  if (first === 'internal' && second === 'admin') return 'machine';
  return first === 'auth' || first === 'internal' ? first : 'platform';
}

function parametersOf(route: Route, schemas: SchemaCollection): JsonSchema[] {
  return [
    ...parametersIn('path', route.params, schemas),
    ...parametersIn('header', route.headers, schemas),
    ...parametersIn('query', route.query, schemas),
  ];
}

function parametersIn(
  place: 'path' | 'header' | 'query',
  schema: z.ZodType,
  schemas: SchemaCollection,
): JsonSchema[] {
  const { properties = {}, required = [] } = schemas.input(schema) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return (
    Object.entries(properties)
      // `Authorization` is described by the security schemes.
      .filter(([name]) => name !== 'authorization')
      .map(([name, parameter]) => ({
        name,
        in: place,
        required: place === 'path' || required.includes(name),
        schema: parameter,
      }))
  );
}

const requestBody = (route: Route, body: z.ZodType, schemas: SchemaCollection): JsonSchema => ({
  required: !route.bodyOptional,
  content: { 'application/json': { schema: schemas.input(body) } },
});

function success(route: Route, schemas: SchemaCollection): JsonSchema {
  const data = schemas.output(route.reply);
  return {
    description: route.summary,
    headers: headersOf(route),
    content: { 'application/json': { schema: route.enveloped ? enveloped(data) : data } },
  };
}

const tooMany = (atMost: string): JsonSchema => ({
  description: `Too many: at most ${atMost}.`,
  headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

const enveloped = (data: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { success: { type: 'boolean', const: true }, data },
  required: ['success', 'data'],
});

function headersOf({ paging }: Route): JsonSchema {
  const requestId = { 'X-Request-Id': { schema: { type: 'string' } } };
  switch (paging) {
    case 'none':
      return requestId;
    case 'offset':
      return { ...requestId, 'X-Total-Count': { schema: { type: 'integer' } } };
    case 'cursor':
      return { ...requestId, 'X-Next-Cursor': { schema: { type: 'string' } } };
  }
}
