import type { z } from 'zod';
import type { Security } from '../callers/caller.js';
import type { Route } from '../routing/route.js';
import { examplesOf } from './examples.js';
import { failuresOf } from './failure-codes.js';
import { REQUEST_ID, type FailureResponses } from './failure-responses.js';
import type { JsonSchema } from './json-schema.js';
import type { SchemaCollection } from './schema-collection.js';

type Credentials = Record<string, string[]>;

const USER: Credentials[] = [{ accessToken: [] }];
const USER_OR_COOKIE: Credentials[] = [...USER, { accessCookie: [], authMode: [] }];
const MACHINE: Credentials[] = [{ internalKey: [] }, { serviceToken: [] }];

function securityOf(security: Security, cookieMode: boolean): Credentials[] {
  const user = cookieMode ? USER_OR_COOKIE : USER;
  switch (security) {
    case 'none':
      return [];
    case 'bearer':
      return user;
    case 'api-key':
      return [{ apiKey: [] }];
    case 'internal-key':
      return MACHINE;
    case 'internal-key-or-bearer':
      return [...MACHINE, ...user];
  }
}

/** The parts of a document that operations share. */
interface SharedParts {
  schemas: SchemaCollection;
  failures: FailureResponses;
}

/** Returns the OpenAPI operation of a route. */
export function operationOf(
  route: Route,
  { schemas, failures }: SharedParts,
  cookieMode: boolean,
): JsonSchema {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    ...(route.stepUp && { 'x-step-up': route.stepUp }),
    security: securityOf(route.caller.security, cookieMode),
    parameters: parametersOf(route, schemas),
    ...(route.body && { requestBody: requestBody(route, route.body, schemas) }),
    responses: {
      [route.status]: success(route, schemas),
      ...(route.isNew && { 201: success({ ...route, status: 201 }, schemas) }),
      ...failures.of(failuresOf(route), route.atMost),
    },
  };
}

function parametersOf(route: Route, schemas: SchemaCollection): JsonSchema[] {
  return [
    ...parametersIn('path', route.params, schemas),
    ...parametersIn('header', route.headers, schemas),
    ...parametersIn('query', route.query, schemas),
  ];
}

function parametersIn(
  location: 'path' | 'header' | 'query',
  schema: z.ZodType,
  schemas: SchemaCollection,
): JsonSchema[] {
  const { properties = {}, required = [] } = schemas.input(schema) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return (
    Object.entries(properties)
      // `Authorization` is described by the security schemes, `Accept` by the types of the response.
      .filter(([name]) => name !== 'authorization' && name !== 'accept')
      .map(([name, { description, ...parameter }]) => ({
        name,
        in: location,
        description,
        required: location === 'path' || required.includes(name),
        schema: parameter,
      }))
  );
}

const BODY_TYPES = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const;

const requestBody = (route: Route, body: z.ZodType, schemas: SchemaCollection): JsonSchema => ({
  required: !route.bodyOptional,
  content: { [BODY_TYPES[route.bodyType]]: { schema: schemas.input(body), ...examplesOf(body) } },
});

function success(route: Route, schemas: SchemaCollection): JsonSchema {
  const { reply, enveloped, eventStream, fileTypes } = route;
  if (fileTypes) return { description: 'Done.', headers: headersOf(route), content: fileContent(fileTypes) };
  const data = schemas.output(reply);
  return {
    description: route.status === 201 ? 'Created.' : 'Done.',
    headers: headersOf(route),
    content: {
      'application/json': {
        schema: enveloped ? envelopeOf(data) : data,
        ...examplesOf(reply, enveloped ? (value) => ({ success: true, data: value }) : undefined),
      },
      ...(eventStream && {
        'text/event-stream': {
          schema: { type: 'string', description: eventStream.description },
          example: eventStream.example,
        },
      }),
    },
  };
}

const fileContent = (types: readonly string[]): JsonSchema =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]));

const envelopeOf = (data: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { success: { type: 'boolean', const: true }, data },
  required: ['success', 'data'],
});

const TOTAL = {
  'X-Total-Count': {
    description:
      'Number of items in the whole list, or a lower bound, see `X-Total-Count-Relation`. ' +
      'Greater than `offset` + `limit` if there are further items.',
    schema: { type: 'integer' },
  },
  'X-Total-Count-Relation': {
    description: 'Present if the list has at least `X-Total-Count` items, 10,000 or more.',
    schema: { type: 'string', enum: ['at-least'] },
  },
};
const NEXT_CURSOR = {
  'X-Next-Cursor': {
    description: 'The `cursor` of the next page; missing on the last page.',
    schema: { type: 'string' },
  },
};

function headersOf({ paging }: Route): JsonSchema {
  switch (paging) {
    case 'none':
      return REQUEST_ID;
    case 'offset':
      return { ...REQUEST_ID, ...TOTAL };
    case 'cursor':
      return { ...REQUEST_ID, ...NEXT_CURSOR };
    case 'either':
      return { ...REQUEST_ID, ...TOTAL, ...NEXT_CURSOR };
  }
}
