import { z } from 'zod';
import type { Auth } from '@latchkey/core';
import { anyone } from '../callers/anyone.js';
import { route, type Route } from '../routing/route.js';
import { version } from '../version.js';
import { openApiDocument, type OpenApiDocument, type ServiceFacts } from './document.js';

const factsOf = ({ settings: { http } }: Auth): ServiceFacts => ({
  version,
  serverUrl: http.baseUrl,
  cookieMode: http.cookieMode,
});

/** Creates `GET /openapi.json`, the OpenAPI document of these routes, which is built at the first request. */
export function openApiRoute(routes: readonly Route[]): Route {
  let document: OpenApiDocument | undefined;
  return {
    ...route({
      method: 'get',
      path: '/openapi.json',
      operationId: 'getOpenApiDocument',
      tag: 'Platform',
      summary: 'Get the OpenAPI document of this API',
      description: 'OpenAPI 3.1, without the envelope.',
      caller: anyone,
      reply: z.unknown(),
      handle: ({ auth }) => (document ??= openApiDocument(routes, factsOf(auth))),
    }),
    enveloped: false,
  };
}
