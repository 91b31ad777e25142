import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CREDENTIAL_MAX_AGE } from '@latchkey/core/schemas';
import { allRoutes, type Route } from '@latchkey/express-adapter';
import {
  BEYOND,
  PENDING,
  SPECIFIED,
  type RouteAccess,
  type Endpoint,
} from './support/specified-endpoints.js';

const routeName = (route: Route): string => `${route.method.toUpperCase()} ${route.path}`;
const endpointName = ([, method, path]: Endpoint): string => `${method} ${path}`;

const built = new Map(allRoutes.map((route) => [routeName(route), route]));
const specified = new Set(SPECIFIED.map(endpointName));
const beyond = new Set(BEYOND.map(endpointName));

/** Returns the security that the route must declare, given every access that the tables list for it. */
function securityOf(access: ReadonlySet<RouteAccess>): Route['caller']['security'] {
  const hasMachineAccess = access.has('machine');
  if (access.has('api-key')) return 'api-key';
  if (access.has('bearer') || access.has('internal-bearer')) {
    return hasMachineAccess ? 'internal-key-or-bearer' : 'bearer';
  }
  return hasMachineAccess ? 'internal-key' : 'none';
}

function accessByEndpoint(endpoints: readonly Endpoint[]): Map<string, Set<RouteAccess>> {
  const access = new Map<string, Set<RouteAccess>>();
  for (const endpoint of endpoints) {
    const name = endpointName(endpoint);
    access.set(name, (access.get(name) ?? new Set()).add(endpoint[0]));
  }
  return access;
}

describe('the specification', () => {
  it('the specification has 71 rows, no row twice', () => {
    expect(SPECIFIED).toHaveLength(71);
    expect(new Set(SPECIFIED.map(String)).size).toBe(SPECIFIED.length);
  });

  it('every row is built, or named as pending', () => {
    expect([...specified].filter((name) => !built.has(name) && !PENDING.includes(name))).toEqual([]);
  });

  it('nothing is pending that is built, unknown or named twice', () => {
    expect(PENDING.filter((name) => built.has(name) || !specified.has(name))).toEqual([]);
    expect(new Set(PENDING).size).toBe(PENDING.length);
  });
});

it('every route is a row of the specification, or named as beyond it', () => {
  expect([...built.keys()].filter((name) => !specified.has(name) && !beyond.has(name))).toEqual([]);
});

it('every route named as beyond the specification is not in it, and exists', () => {
  expect([...beyond].filter((name) => specified.has(name) || !built.has(name))).toEqual([]);
});

it('every route accepts exactly the kind of caller that the tables name', () => {
  const access = accessByEndpoint([...SPECIFIED, ...BEYOND]);
  const expected = [...built.keys()].map((name) => `${name}: ${securityOf(access.get(name) ?? new Set())}`);
  expect([...built].map(([name, { caller }]) => `${name}: ${caller.security}`)).toEqual(expected);
});

it('no route is in the table twice', () => {
  expect(built.size).toBe(allRoutes.length);
});

/** Tokens of links in mails: one that is guessed or sent over and over must meet a limit of its sender. */
const takesMailedToken = ({ caller, body, query }: Route): boolean =>
  caller.security === 'none' &&
  [body, query].some((schema) => schema instanceof z.ZodObject && 'token' in schema.shape);

it('every route that hashes a password or takes a mailed token counts towards a limit of the address', () => {
  const routes = allRoutes.filter((route) => route.hashesPassword || takesMailedToken(route));
  expect(routes.length).toBeGreaterThan(10);
  expect(routes.filter(({ limit }) => limit === undefined).map(routeName)).toEqual([]);
});

/**
 * Routes by which callers write in their own name and change nothing of how they sign in. A new route is not added to this list
 * lightly: one that sets, adds or removes a password, an address, a passkey, an app or a code declares a second factor.
 */
const CHANGE_NO_CREDENTIAL: readonly string[] = [
  'DELETE /auth/api-keys/{id}',
  'DELETE /auth/invitations/{id}',
  'DELETE /auth/me/picture',
  'DELETE /auth/sessions/{id}',
  // What they remove made sign-ins easier.
  'DELETE /auth/trusted-devices',
  'DELETE /auth/trusted-devices/{id}',
  'PATCH /auth/me',
  'PATCH /auth/passkeys/{id}',
  'POST /auth/api-keys/revoke-all',
  'POST /auth/handoff/create',
  'POST /auth/invitations',
  'POST /auth/invitations/{id}/resend',
  'POST /auth/logout-all',
  'POST /auth/logout-others',
  'POST /auth/step-up',
  'POST /auth/step-up/options',
  'PUT /auth/me/picture',
];

it('every route by which users change how they sign in declares a recent second factor', () => {
  const own = allRoutes.filter(
    ({ caller, method, path }) =>
      caller.security === 'bearer' && method !== 'get' && path.startsWith('/auth/'),
  );
  const declared = own.filter(({ stepUp }) => stepUp?.factorMaxAge === CREDENTIAL_MAX_AGE).map(routeName);
  const others = own.map(routeName).filter((name) => !declared.includes(name));
  expect(others.toSorted()).toEqual(CHANGE_NO_CREDENTIAL);
  expect(declared.length).toBeGreaterThan(7);
});
