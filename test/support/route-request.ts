import { z } from 'zod';
import type { Route } from '@latchkey/express-adapter';
import { mintTokens } from './minted-token.js';
import { INTERNAL_KEY, type TestService } from './service.js';
import type { TestUser } from './test-users.js';

/** A request to a route that reaches what the route does with its input. */
export interface RouteRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
}

/**
 * A well-formed request to a route, with credentials that open it: a fresh session of `user`, so that a route which
 * ends sessions spoils nothing for the next one. `id` stands in the place of each parameter of the path.
 */
export async function requestFor(
  route: Route,
  { service, user, id }: { service: TestService; user: TestUser; id: string },
): Promise<RouteRequest> {
  return {
    method: route.method.toUpperCase(),
    path: pathOf(route, id),
    headers: await credentialsFor(route, service, user),
  };
}

export const pathOf = (route: Route, id: string): string => route.path.replaceAll(/\{\w+\}/g, id);

export const nameOf = (route: Route): string => `${route.method.toUpperCase()} ${route.path}`;

/** The fields that a route's body may have. */
export function bodyFieldsOf(route: Route): string[] {
  return route.body instanceof z.ZodObject ? Object.keys(route.body.shape) : [];
}

async function credentialsFor(
  { caller }: Route,
  service: TestService,
  user: TestUser,
): Promise<Record<string, string>> {
  if (caller.security.startsWith('internal-key')) return { 'x-internal-api-key': INTERNAL_KEY };
  if (caller.security !== 'bearer') return {};
  const { token } = await mintTokens(service, user.id);
  return { authorization: `Bearer ${token}` };
}
