import { z } from 'zod';
import type { Route } from '@latchkey/express-adapter';
import { ApiKeyClient } from './api-key-client.js';
import { asSignedInByPassword, signedInUser } from './minted-token.js';
import { INTERNAL_KEY, type TestService } from './service.js';

/** A request to a route that reaches what the route does with its input. */
export interface RouteRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
}

/**
 * A well-formed request to a route: `id` in the place of each parameter of the path and in each header that the route
 * declares, and credentials that open it, those of a superadmin where a person is asked for.
 */
export async function requestFor(route: Route, service: TestService, id: string): Promise<RouteRequest> {
  return {
    method: route.method.toUpperCase(),
    path: pathOf(route, id),
    headers: {
      ...Object.fromEntries(fieldsOf(route.headers).map((name) => [name, id])),
      ...(await credentialsFor(route, service)),
    },
  };
}

/** The key of a role is no UUID. */
export const pathOf = (route: Route, id: string): string =>
  route.path.replaceAll('{key}', 'ROLE').replaceAll(/\{\w+\}/g, id);

export const nameOf = (route: Route): string => `${route.method.toUpperCase()} ${route.path}`;

/** The fields that a route's body may have. */
export const bodyFieldsOf = (route: Route): string[] => fieldsOf(route.body);

const fieldsOf = (schema: z.ZodType | undefined): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

const tokens = new WeakMap<TestService, Promise<string>>();

async function credentialsFor(
  { caller, path }: Route,
  service: TestService,
): Promise<Record<string, string>> {
  if (caller.security.startsWith('internal-key')) return { 'x-internal-api-key': INTERNAL_KEY };
  if (caller.security === 'api-key') return { authorization: `Bearer ${await freshKey(service)}` };
  if (caller.security !== 'bearer') return {};
  // These end sessions, which the next request would still need.
  const token = path.startsWith('/auth/logout') ? freshToken(service) : sharedToken(service);
  return { authorization: `Bearer ${await token}` };
}

function sharedToken(service: TestService): Promise<string> {
  const token = tokens.get(service) ?? freshToken(service);
  tokens.set(service, token);
  return token;
}

const freshToken = async (service: TestService): Promise<string> =>
  (await signedInUser(service, { role: 'PLATFORM_SUPERADMIN' })).token;

async function freshKey(service: TestService): Promise<string> {
  const { token } = asSignedInByPassword(await signedInUser(service));
  return (await new ApiKeyClient(service).made(token)).key;
}
