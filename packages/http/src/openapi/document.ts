import { z } from 'zod';
import { ERROR_CODES } from '@latchkey/core';
import { raisedToken } from '@latchkey/core/schemas';
import { ACCESS_COOKIE } from '../routing/auth-cookies.js';
import type { Route } from '../routing/route.js';
import { TAGS } from '../routing/tag.js';
import { AUTH_MODE_HEADER } from '../routing/token-cookies.js';
import { exampleOf } from './examples.js';
import { FailureResponses } from './failure-responses.js';
import type { JsonSchema } from './json-schema.js';
import { operationOf } from './operation.js';
import { SchemaCollection } from './schema-collection.js';

/** The schema of the envelope of an error. */
const ERROR: JsonSchema = {
  type: 'object',
  description: 'An error.',
  properties: {
    success: { type: 'boolean', const: false },
    error: {
      type: 'object',
      properties: {
        code: { type: 'string', enum: [...ERROR_CODES], description: 'Stable. Programs may branch on it.' },
        message: { type: 'string', description: 'For people. May change.' },
      },
      required: ['code', 'message'],
    },
  },
  required: ['success', 'error'],
  examples: [
    {
      success: false,
      error: { code: 'unauthorized', message: 'The access token is missing, invalid or expired.' },
    },
  ],
};

const authMode = z
  .literal('cookie')
  .optional()
  .describe('Requests tokens in cookies, if the service has cookie mode on (`AUTH_WEB_COOKIE_MODE`).');

const IN_COOKIES = 'With `X-Auth-Mode: cookie` the tokens are set as cookies and omitted from the response.';
const FROM_COOKIE = 'With `X-Auth-Mode: cookie` the cookie replaces a missing `refreshToken`.';

/** Adds cookie mode to a route: a header, a body whose token is optional, a response without tokens. */
function withCookieMode(route: Route): Route {
  const { issuesTokens, takesRefreshToken, body } = route;
  if (!issuesTokens && !takesRefreshToken) return route;
  const texts = [
    route.description,
    ...(issuesTokens ? [IN_COOKIES] : []),
    ...(takesRefreshToken ? [FROM_COOKIE] : []),
  ];
  return {
    ...route,
    description: texts.join(' '),
    // A page of an origin that is not allowed may not change the cookies.
    failures: [...route.failures, 'forbidden'],
    headers: route.headers.extend({ [AUTH_MODE_HEADER]: authMode }),
    body: takesRefreshToken && body instanceof z.ZodObject ? withOptionalFields(body) : body,
    bodyOptional: route.bodyOptional || takesRefreshToken,
    reply: issuesTokens ? withTokenlessForms(route.reply) : route.reply,
  };
}

const withOptionalFields = (body: z.ZodObject): z.ZodType =>
  body.partial().meta({ examples: [exampleOf(body)] });

/** Adds the forms of a reply whose tokens are sent as cookies. */
function withTokenlessForms(reply: z.ZodType): z.ZodType {
  const forms = reply instanceof z.ZodUnion ? reply.options : [reply];
  const tokenless = forms
    .filter((form) => form instanceof z.ZodObject)
    .filter(({ shape }) => Object.keys(raisedToken.shape).every((field) => field in shape))
    .map((form) => withoutTokens(form));
  return z.union([...forms, ...tokenless]);
}

function withoutTokens(form: z.ZodObject): z.ZodType {
  const {
    accessToken: _access,
    refreshToken: _refresh,
    ...example
  } = exampleOf(form) as Record<string, unknown>;
  const { accessToken: _inCookie, refreshToken: _inOther, ...shape } = form.shape;
  return z.object(shape).meta({
    id: `${form.meta()?.id ?? 'Tokens'}InCookies`,
    description: 'The response with `X-Auth-Mode: cookie`: the tokens are in cookies.',
    examples: [example],
  });
}

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  openapi: '3.1.0';
  info: {
    title: string;
    version: string;
    description: string;
    contact: { name: string };
    license: { name: string; identifier: string };
  };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, JsonSchema>>;
  components: JsonSchema;
}

const DESCRIPTION = [
  'Authentication service: users, revocable sessions, tokens, company access.',
  'Later versions may add fields to responses; clients must ignore unknown fields.',
  'Errors are `application/json`, or `application/problem+json` for clients that prefer it in `Accept`.',
  'An app that embeds the service may reject sign-ins, registrations and invitations by its own rules, with any code.',
].join(' ');

const SECURITY_SCHEMES: JsonSchema = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `accessToken` of a sign-in.',
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: '^lkk_[0-9A-Za-z]{49}$',
    description: 'An API key of `createApiKey`. `getMe` and `getMyAccess` accept one, too.',
  },
  internalKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Internal-API-Key',
    description:
      'The shared key of internal services (`AUTH_INTERNAL_API_KEY`). If it is sent, a service token is ignored.',
  },
  serviceToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Service-Token',
    description:
      'A token of `issueServiceToken`. Scope `internal:read` for GET, `internal:write` for all other methods, `revocations:read` for `readRevocations`, `api-keys:verify` for `verifyApiKey`. Opening a session needs `sessions:mint` as well; ' +
      'global roles, passwords and anything done to platform staff need `users:privileged` as well.',
  },
};

const COOKIE_SCHEMES: JsonSchema = {
  accessCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: ACCESS_COOKIE,
    description: 'Set by a sign-in in cookie mode. Requests that change state require an allowed `Origin`.',
  },
  authMode: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Auth-Mode',
    description: 'Always `cookie`; sent together with the cookie.',
  },
};

export interface ServiceFacts {
  version: string;
  serverUrl: string;
  /** True also describes cookie mode. Defaults to false, as in the service. */
  cookieMode?: boolean;
}

/**
 * Returns the OpenAPI document of a table of routes; the same table serves them.
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
  const failures = new FailureResponses(schemas);
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    const described = cookieMode ? withCookieMode(route) : route;
    const operation = operationOf(described, { schemas, failures }, cookieMode);
    paths[route.path] = { ...paths[route.path], [route.method]: operation };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Latchkey',
      version: facts.version,
      description: DESCRIPTION,
      contact: { name: 'Latchkey' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: facts.serverUrl, description: 'This service.' }],
    tags: [...TAGS],
    paths,
    components: {
      schemas: { ...schemas.components, Error: ERROR },
      responses: failures.components,
      securitySchemes: cookieMode ? { ...SECURITY_SCHEMES, ...COOKIE_SCHEMES } : SECURITY_SCHEMES,
    },
  };
}
