import { ERROR_CODES } from '@latchkey/core';
import { ACCESS_COOKIE } from '../http/auth-cookies.js';
import type { Route } from '../http/route.js';
import { withCookieMode } from './cookie-variant.js';
import { operationOf } from './operation.js';
import type { JsonSchema } from './json-schema.js';
import { SchemaCollection } from './schema-collection.js';

/**
 * An OpenAPI 3.1 document.
 * @example
 * ```ts
 * const pathsOf = ({ paths }: OpenApiDocument): string[] => Object.keys(paths);
 * const facts = { version: '1.0.0', serverUrl: 'https://id.example.com' };
 * pathsOf(openApiDocument(allRoutes, facts)).includes('/auth/me'); // → true
 * ```
 */
export interface OpenApiDocument {
  openapi: '3.1.0';
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string }[];
  paths: Record<string, Record<string, JsonSchema>>;
  components: JsonSchema;
}

const ERROR: JsonSchema = {
  type: 'object',
  properties: {
    success: { type: 'boolean', const: false },
    error: {
      type: 'object',
      properties: {
        code: { type: 'string', enum: [...ERROR_CODES], description: 'What programs branch on.' },
        message: { type: 'string', description: 'Written for people; may change.' },
      },
      required: ['code', 'message'],
    },
  },
  required: ['success', 'error'],
};

const SECURITY_SCHEMES: JsonSchema = {
  accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  internalKey: { type: 'apiKey', in: 'header', name: 'X-Internal-API-Key' },
  serviceToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Service-Token',
    description:
      'Scope `internal:read` for GET, `internal:write` for all others. Opening a session needs `sessions:mint` as well; ' +
      'global roles, passwords and anything done to platform staff need `users:privileged` as well.',
  },
};

const COOKIE_SCHEMES: JsonSchema = {
  accessCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: ACCESS_COOKIE,
    description: 'Where a change is asked for, `Origin` must be allowed.',
  },
  authMode: { type: 'apiKey', in: 'header', name: 'X-Auth-Mode', description: 'Always `cookie`.' },
};

export interface ServiceFacts {
  version: string;
  serverUrl: string;
  /** Whether cookie mode is described too. Default: false, as in the service. */
  cookieMode?: boolean;
}

/**
 * Describes a table of routes: the same data that the routes are served from.
 * @example
 * ```ts
 * const document = openApiDocument(allRoutes, { version: '1.0.0', serverUrl: 'https://id.example.com' });
 * document.openapi; // → '3.1.0'
 * 'post' in (document.paths['/auth/login'] ?? {}); // → true
 * ```
 */
export function openApiDocument(routes: readonly Route[], facts: ServiceFacts): OpenApiDocument {
  const { cookieMode = false } = facts;
  const schemas = new SchemaCollection();
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    const operation = operationOf(cookieMode ? withCookieMode(route) : route, schemas, cookieMode);
    paths[route.path] = { ...paths[route.path], [route.method]: operation };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Latchkey',
      version: facts.version,
      description: 'Authentication service: users, revocable sessions, tokens, company access.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: facts.serverUrl }],
    paths,
    components: {
      schemas: { ...schemas.components, Error: ERROR },
      responses: {
        RateLimited: {
          description: 'Too many attempts. Wait as long as `Retry-After` says.',
          headers: { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } },
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
        Error: {
          description: 'Any failure, told apart by its code.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
      securitySchemes: cookieMode ? { ...SECURITY_SCHEMES, ...COOKIE_SCHEMES } : SECURITY_SCHEMES,
    },
  };
}
