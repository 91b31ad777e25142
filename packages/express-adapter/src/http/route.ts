import { z } from 'zod';
import type {
  Auth,
  ClientInfo,
  CursorPage,
  CursorRequest,
  ErrorCode,
  Page,
  PageRequest,
} from '@latchkey/core';
import { cursorInput, pageInput } from '@latchkey/core/schemas';
import type { Caller } from '../callers/caller.js';
import type { Tag } from './tag.js';

type Method = 'get' | 'post' | 'patch' | 'delete';

/** The input of a handler: all values validated, nothing of Express. */
interface RouteInput<Identity, Headers, Params, Query, Body> {
  auth: Auth;
  caller: Identity;
  headers: Headers;
  params: Params;
  query: Query;
  body: Body;
  client: ClientInfo;
}

/**
 * The rate limit by address that a request counts towards: that of sign-ins, which is checked before anything else, or
 * that of requests that write a row for an anonymous caller, which is checked after the input has been validated.
 */
type AddressLimit = 'public-login' | 'anonymous-write';

/** The texts of a route in the OpenAPI document, in addition to its schemas. */
interface RouteTexts {
  /** Name of the method in generated clients: camelCase, unique, unchanged once released. */
  operationId: string;
  tag: Tag;
  summary: string;
  /** Details for callers, in CommonMark. */
  description: string;
  /** Error codes of the use case, in addition to those of caller, limits and input. */
  failures?: readonly ErrorCode[];
}

/** The definition of a route: data plus one call. */
export interface RouteSpec<
  Identity,
  Headers extends z.ZodObject,
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Reply extends z.ZodType,
> extends RouteTexts {
  method: Method;
  /** In OpenAPI notation: `/internal/users/{id}`. */
  path: string;
  limit?: AddressLimit;
  /** True: the use case hashes a password. Requests are rejected first while their address has no hashing capacity. */
  hashesPassword?: boolean;
  /** Rate limit of the use case as text, for the OpenAPI document; the core enforces it. */
  atMost?: string;
  caller: Caller<Identity>;
  /** Maximum age of the sign-in, seconds, for the challenge of RFC 9470; the use case enforces it. */
  maxAgeSeconds?: number;
  /** False: the route responds with 404 as if it did not exist. */
  offered?: (auth: Auth) => boolean;
  /** Runs before anything of the request is read; throws when the route is disabled. */
  precondition?: (auth: Auth) => void;
  /** Headers that the use case reads, by lower-case name. */
  headers?: Headers;
  params?: Params;
  query?: Query;
  body?: Body;
  /** True: a request without a body is treated as one with an empty object. */
  bodyOptional?: boolean;
  /** The body field with a new password. Its faults are reported together with those of other fields. */
  newPassword?: 'password' | 'newPassword';
  /** Parses the response, so that undeclared fields are never sent. */
  reply: Reply;
  /** Defaults to 200. */
  status?: 200 | 201;
  /** True: the response may contain tokens of a user; in cookie mode they are sent as cookies. */
  issuesTokens?: boolean;
  /** True: in cookie mode the refresh token of the cookie replaces a missing `refreshToken` in the body. */
  takesRefreshToken?: boolean;
  /** Reports whether the use case ends the session of the caller; in cookie mode the cookies are then cleared. */
  endsOwnSession?: (input: { caller: Identity; params: z.output<Params> }) => boolean;
  handle: (
    input: RouteInput<Identity, z.output<Headers>, z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => Promise<z.input<Reply>> | z.input<Reply>;
  /** Called after every response, whatever its status. */
  answered?: (auth: Auth, status: number) => void;
}

/**
 * A route with erased types, so that all routes fit in one table.
 * @example
 * ```ts
 * const nameOf = ({ method, path }: Route): string => `${method.toUpperCase()} ${path}`;
 * allRoutes.map(nameOf).includes('GET /auth/sessions'); // → true
 * ```
 */
export interface Route extends Required<RouteTexts> {
  method: Method;
  path: string;
  limit: AddressLimit | undefined;
  hashesPassword: boolean;
  atMost: string | undefined;
  caller: Caller<unknown>;
  maxAgeSeconds: number | undefined;
  offered: (auth: Auth) => boolean;
  precondition: ((auth: Auth) => void) | undefined;
  headers: z.ZodObject;
  params: z.ZodType;
  query: z.ZodType;
  body: z.ZodType | undefined;
  bodyOptional: boolean;
  newPassword: 'password' | 'newPassword' | undefined;
  reply: z.ZodType;
  status: 200 | 201;
  issuesTokens: boolean;
  takesRefreshToken: boolean;
  endsOwnSession: (input: { caller: unknown; params: unknown }) => boolean;
  /**
   * `offset`: the handler returns a `Page`, whose total becomes `X-Total-Count`; `cursor`: a `CursorPage`, whose cursor
   * becomes `X-Next-Cursor`.
   */
  paging: 'none' | 'offset' | 'cursor';
  /** False: the response is the reply without the envelope. */
  enveloped: boolean;
  /** Seconds that a cache may keep the response; 0 forbids caching. */
  cacheSeconds: number;
  handle: (input: RouteInput<unknown, unknown, unknown, unknown, unknown>) => unknown;
  answered: ((auth: Auth, status: number) => void) | undefined;
}

const nothing = z.object({});
const never = (): boolean => false;
const always = (): boolean => true;

/** Checks the types of a route and erases them. */
export function route<
  Identity,
  Headers extends z.ZodObject = typeof nothing,
  Params extends z.ZodType = typeof nothing,
  Query extends z.ZodType = typeof nothing,
  Body extends z.ZodType = z.ZodUndefined,
  Reply extends z.ZodType = z.ZodType,
>(spec: RouteSpec<Identity, Headers, Params, Query, Body, Reply>): Route {
  return {
    method: spec.method,
    path: spec.path,
    operationId: spec.operationId,
    tag: spec.tag,
    summary: spec.summary,
    description: spec.description,
    // A route that is not offered responds with 404.
    failures: [...(spec.offered ? (['not_found'] as const) : []), ...(spec.failures ?? [])],
    limit: spec.limit,
    hashesPassword: spec.hashesPassword ?? false,
    atMost: spec.atMost,
    // Identity, parameters, query and body come from the same spec, so the erased types always fit.
    caller: spec.caller,
    maxAgeSeconds: spec.maxAgeSeconds,
    offered: spec.offered ?? always,
    precondition: spec.precondition,
    headers: spec.headers ?? nothing,
    params: spec.params ?? nothing,
    query: spec.query ?? nothing,
    body: spec.body,
    bodyOptional: spec.bodyOptional ?? false,
    newPassword: spec.newPassword,
    reply: spec.reply,
    status: spec.status ?? 200,
    issuesTokens: spec.issuesTokens ?? false,
    takesRefreshToken: spec.takesRefreshToken ?? false,
    endsOwnSession: (spec.endsOwnSession ?? never) as Route['endsOwnSession'],
    paging: 'none',
    enveloped: true,
    cacheSeconds: 0,
    handle: spec.handle as Route['handle'],
    answered: spec.answered,
  };
}

export interface ListSpec<
  Identity,
  Headers extends z.ZodObject,
  Params extends z.ZodType,
  Filter extends z.ZodObject,
  Item extends z.ZodType,
> extends RouteTexts {
  path: string;
  caller: Caller<Identity>;
  offered?: (auth: Auth) => boolean;
  headers?: Headers;
  params?: Params;
  /** The query parameters in addition to `limit` and `offset`. */
  filter?: Filter;
  item: Item;
  /** Defaults to 1,000. */
  maxLimit?: number;
  handle: (
    input: RouteInput<
      Identity,
      z.output<Headers>,
      z.output<Params>,
      z.output<Filter> & PageRequest,
      undefined
    >,
  ) => Promise<Page<z.input<Item>>>;
  answered?: (auth: Auth, status: number) => void;
}

/** Creates a list route: `limit` and `offset` in the query, an array as data, the total in `X-Total-Count`. */
export function listRoute<
  Identity,
  Headers extends z.ZodObject = typeof nothing,
  Params extends z.ZodType = typeof nothing,
  Filter extends z.ZodObject = typeof nothing,
  Item extends z.ZodType = z.ZodType,
>(spec: ListSpec<Identity, Headers, Params, Filter, Item>): Route {
  const { filter, item, maxLimit, handle, ...rest } = spec;
  const query = pageInput(maxLimit).extend((filter ?? nothing).shape);
  const erased = handle as Route['handle'];
  return {
    ...route({ ...rest, method: 'get', query, reply: z.array(item), handle: () => [] }),
    paging: 'offset',
    handle: erased,
  };
}

export interface CursorSpec<Identity, Filter extends z.ZodObject, Item extends z.ZodType> extends RouteTexts {
  path: string;
  caller: Caller<Identity>;
  filter: Filter;
  item: Item;
  handle: (
    input: RouteInput<Identity, object, object, z.output<Filter> & CursorRequest, undefined>,
  ) => Promise<CursorPage<z.input<Item>>>;
}

/** Creates a list route for growing lists: `limit` and `cursor` in the query, the next cursor in `X-Next-Cursor`. */
export function cursorRoute<Identity, Filter extends z.ZodObject, Item extends z.ZodType>(
  spec: CursorSpec<Identity, Filter, Item>,
): Route {
  const { filter, item, handle, ...rest } = spec;
  const query = cursorInput().extend(filter.shape);
  const erased = handle as Route['handle'];
  return {
    ...route({ ...rest, method: 'get', query, reply: z.array(item), handle: () => [] }),
    paging: 'cursor',
    handle: erased,
  };
}
