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

/** What a handler works with: everything checked, nothing of Express. */
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
 * The count of the caller's address that a request adds to: that of sign-ins, before anything else is looked at, or that of
 * requests that write a row for an unknown caller, once the input is known to be good.
 */
type AddressLimit = 'public-login' | 'anonymous-write';

/** What the OpenAPI document says of a route, beside what follows from its schemas. */
interface RouteWords {
  /** Name of the method in generated clients: camelCase, unique, kept once it is released. */
  operationId: string;
  tag: Tag;
  summary: string;
  /** What callers should know beside the summary, in CommonMark. */
  description: string;
  /** Codes of errors that the work throws, beside those that follow from caller, limits and input. */
  failures?: readonly ErrorCode[];
}

/** A route is data plus one call. */
export interface RouteSpec<
  Identity,
  Headers extends z.ZodObject,
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Reply extends z.ZodType,
> extends RouteWords {
  method: Method;
  /** In the form of OpenAPI: `/internal/users/{id}`. */
  path: string;
  limit?: AddressLimit;
  /** True: the work hashes a password. While none of the caller's address can be hashed, nothing else is done either. */
  hashesPassword?: boolean;
  /** Limit of the work in words, where the core limits it: described, and counted there. */
  atMost?: string;
  caller: Caller<Identity>;
  /** Seconds since the sign-in that the work allows, for the challenge of RFC 9470; the use case decides. */
  maxAgeSeconds?: number;
  /** False: the route answers as if it were not there. */
  offered?: (auth: Auth) => boolean;
  /** Looked at before anything of the request is read; throws when the route is switched off. */
  precondition?: (auth: Auth) => void;
  /** Headers the work needs, by their lower-case names. */
  headers?: Headers;
  params?: Params;
  query?: Query;
  body?: Body;
  /** True: a request without a body counts as one with an empty object. */
  bodyOptional?: boolean;
  /** The field of the body that holds a password to be set, whose faults are reported with those of other fields. */
  newPassword?: 'password' | 'newPassword';
  /** The answer is parsed by it, so a field that is not declared cannot leave. */
  reply: Reply;
  /** 200 unless told otherwise. */
  status?: 200 | 201;
  /** True: the answer may hold tokens of a person; in cookie mode they leave as cookies. */
  issuesTokens?: boolean;
  /** True: in cookie mode the cookie's refresh token stands in for a missing `refreshToken` of the body. */
  takesRefreshToken?: boolean;
  /** Whether the work ends the very session that asked for it; in cookie mode its cookies then go. */
  endsOwnSession?: (input: { caller: Identity; params: z.output<Params> }) => boolean;
  handle: (
    input: RouteInput<Identity, z.output<Headers>, z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => Promise<z.input<Reply>> | z.input<Reply>;
  /** Told of every answer, whatever it says. */
  answered?: (auth: Auth, status: number) => void;
}

/**
 * A route whose types have been checked and whose parts can be laid in one table.
 * @example
 * ```ts
 * const nameOf = ({ method, path }: Route): string => `${method.toUpperCase()} ${path}`;
 * allRoutes.map(nameOf).includes('GET /auth/sessions'); // → true
 * ```
 */
export interface Route extends Required<RouteWords> {
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
   * `offset`: the handler gives a `Page`, whose total goes into `X-Total-Count`; `cursor`: a `CursorPage`, whose cursor
   * goes into `X-Next-Cursor`.
   */
  paging: 'none' | 'offset' | 'cursor';
  /** False: the answer is the bare reply. */
  enveloped: boolean;
  /** Seconds a cache may keep the answer; 0 forbids it. */
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
    // What is not offered answers as if it were not there.
    failures: [...(spec.offered ? (['not_found'] as const) : []), ...(spec.failures ?? [])],
    limit: spec.limit,
    hashesPassword: spec.hashesPassword ?? false,
    atMost: spec.atMost,
    // Identity, parameters, query and body come from this very spec, so the erased types always fit.
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
> extends RouteWords {
  path: string;
  caller: Caller<Identity>;
  offered?: (auth: Auth) => boolean;
  headers?: Headers;
  params?: Params;
  /** The query beside `limit` and `offset`. */
  filter?: Filter;
  item: Item;
  /** 1,000 unless told otherwise. */
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

/** A list: `limit` and `offset` in the query, a bare array as data, the total in `X-Total-Count`. */
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

export interface CursorSpec<Identity, Filter extends z.ZodObject, Item extends z.ZodType> extends RouteWords {
  path: string;
  caller: Caller<Identity>;
  filter: Filter;
  item: Item;
  handle: (
    input: RouteInput<Identity, object, object, z.output<Filter> & CursorRequest, undefined>,
  ) => Promise<CursorPage<z.input<Item>>>;
}

/** A list that grows while it is read: `limit` and `cursor` in the query, the next cursor in `X-Next-Cursor`. */
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
