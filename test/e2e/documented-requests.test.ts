import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes, openApiDocument, type Route } from '@latchkey/express-adapter';
import type { Answer } from '../support/api-client.js';
import { ApiKeyClient } from '../support/api-key-client.js';
import { FIXTURE_ENV } from '../support/body-fixtures.js';
import { valuesOf } from '../support/document-values.js';
import { asSignedInByPassword, signedInUser } from '../support/minted-token.js';
import { nameOf, requestFor } from '../support/route-request.js';
import { runsOf } from '../support/scale.js';
import { startTestService, type TestService } from '../support/service.js';

type Schema = Record<string, unknown>;

interface Operation {
  parameters: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
}

interface GeneratedRequest {
  path: Record<string, unknown>;
  header: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

const REQUESTS = runsOf(12);
const document = openApiDocument(allRoutes, { version: '0.0.0', serverUrl: 'http://localhost' });

/** Reasons why a request that the document allows may still get 400, mostly because only the service knows what it has issued. */
const NOT_A_MATTER_OF_SHAPE = [
  /^code: must be given, or (error|token|recoveryCode), but not both/,
  // Which characters an address has says little about whether it is one.
  /^ipAddress: must be an IP address/,
  /^redirectUri: must be an address of EXTERNAL_REDIRECT_URIS/,
  /^logout_token: is not valid/,
  /^token: is unknown, used or expired/,
  /^cursor: (is invalid; use the one that a previous page returned|continues a list by itself)/,
  // Generators of clients fail on what would say it in JSON Schema.
  /^ids: must be at most 100 UUIDs/,
  // Names that no mail program turns into a link: their rule needs lookahead, and letters of every script.
  /(^|; )name: must be a name of at most 80 letters/,
  /^companyId: must be left out while AUTH_WEB_COOKIE_MODE is on/,
  /^actor: must not be given with actorUserId/,
  /^reason: goes with actorUserId or actor/,
  /^clientId and clientSecret: are required, in the body or as HTTP Basic/,
  /^url: /,
  // One body for both: the platform may receive every type, a company fewer.
  /^events: .*: concerns no company; a company can receive /,
  /^(overlap|expiresIn): must be \d+ to \d+ seconds/,
  /^from: must be at most 30 days ago/,
  /^to: must be later than from/,
  /^moveTo: must be another role/,
  /^content: (must be a WebP, JPEG or PNG picture|is truncated or damaged)/,
  /^trustDevice: is for browsers in cookie mode/,
  /^currentPassword: is required, because the account has a password/,
];

const requestsOf = (operation: Operation): fc.Arbitrary<GeneratedRequest> =>
  fc.record({
    path: parametersIn(operation, 'path'),
    header: parametersIn(operation, 'header'),
    query: parametersIn(operation, 'query'),
    body: operation.requestBody
      ? valuesOf(Object.values(operation.requestBody.content)[0]!.schema)
      : fc.constant(undefined),
  });

function parametersIn({ parameters }: Operation, place: string): fc.Arbitrary<Record<string, unknown>> {
  const here = parameters.filter((parameter) => parameter.in === place);
  const values = Object.fromEntries(here.map(({ name, schema }) => [name, valuesOf(schema)]));
  return fc.record(values, { requiredKeys: here.filter(({ required }) => required).map(({ name }) => name) });
}

const filled = (path: string, values: Record<string, unknown>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(values[name])));

const queryOf = (values: Record<string, unknown>): string =>
  new URLSearchParams(
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)] as const)),
  ).toString();

const typeOf = ({ bodyType }: Route) =>
  bodyType === 'form' ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
const formOf = (body: unknown): string => new URLSearchParams(body as Record<string, string>).toString();

describe('a request that the document allows', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: FIXTURE_ENV });
  });
  afterAll(() => service.stop());

  /** Returns credentials for one route alone: some requests end the session, or count wrong passwords. */
  async function credentialsFor(route: Route): Promise<Record<string, string>> {
    if (route.caller.security === 'api-key') {
      const user = asSignedInByPassword(await signedInUser(service));
      return { authorization: `Bearer ${(await new ApiKeyClient(service).made(user.token)).key}` };
    }
    if (route.caller.security !== 'bearer') return (await requestFor(route, service, '')).headers;
    const { token } = await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' });
    return { authorization: `Bearer ${token}` };
  }

  async function send(
    route: Route,
    { path, header, query, body }: GeneratedRequest,
    credentials: Record<string, string>,
  ): Promise<Answer> {
    const method = route.method.toUpperCase();
    return service.api(method, `${filled(route.path, path)}?${queryOf(query)}`, {
      headers: { ...credentials, ...(header as Record<string, string>), ...typeOf(route) },
      ...(body !== undefined && (route.bodyType === 'form' ? { raw: formOf(body) } : { body })),
    });
  }

  it.each(allRoutes.map((route) => [nameOf(route), route] as const))(
    'a request that the document allows is never malformed to the service: %s',
    async (_name, route) => {
      const operation = document.paths[route.path]?.[route.method] as unknown as Operation;
      const credentials = await credentialsFor(route);
      const [first, ...others] = fc.sample(requestsOf(operation), REQUESTS);
      const answer = await send(route, first!, credentials);
      expect(answer.message ?? '', 'the caller is let in').not.toMatch(/access token|X-Internal-API-Key/);
      expectWellFormed(answer, first!);
      for (const request of others) expectWellFormed(await send(route, request, credentials), request);
    },
  );
});

function expectWellFormed({ status, message = '' }: Answer, request: GeneratedRequest): void {
  if (NOT_A_MATTER_OF_SHAPE.some((pattern) => pattern.test(message))) return;
  expect(status, `${JSON.stringify(request)}: ${message}`).not.toBe(400);
}
