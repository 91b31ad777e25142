import { z } from 'zod';
import { anyone } from '../callers/anyone.js';
import { route, type Route } from '../http/route.js';
import { version } from '../version.js';
import { openApiDocument, type OpenApiDocument } from './document.js';

/** `GET /openapi.json`: the table of routes, described by itself. Made at the first request. */
export function openApiRoute(routes: readonly Route[]): Route {
  let document: OpenApiDocument | undefined;
  return {
    ...route({
      method: 'get',
      path: '/openapi.json',
      summary: 'This interface as an OpenAPI 3.1 document',
      caller: anyone,
      reply: z.unknown(),
      handle: ({ auth }) =>
        (document ??= openApiDocument(routes, { version, serverUrl: auth.settings.http.baseUrl })),
    }),
    enveloped: false,
  };
}
