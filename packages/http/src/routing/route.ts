import { z } from 'zod';
import type {
  Auth,
  ClientInfo,
  CursorPage,
  CursorRequest,
  ErrorCode,
  Page,
  PageRequest,
  SlicedPage,
} from '@latchkey/core';
import { cursorInput, growingPageInput, pageInput } from '@latchkey/core/schemas';
import type { Caller } from '../callers/caller.js';
import type { Exchange } from '../exchange/exchange.js';
import type { HttpResponse } from '../exchange/http-response.js';
import type { Tag } from './tag.js';

/** The input of a handler: all values validated, nothing of a host. */
interface RouteInput<Identity, Headers, Params, Query, Body> {
  auth: Auth;
  caller: Identity;
  headers: Headers;
  params: Params;
  query: Query;
  body: Body;
  client: ClientInfo;
}

/** The sign-in that a route requires; without it the response is 401 `reauthentication_required`. */
export interface RouteStepUp {
  /** Maximum age of the sign-in: seconds, or the name of the setting that has it. No limit if missing. */
  maxAge?: number | 'STAFF_STEP_UP';
  /** Maximum age of the second factor in seconds, of a user who has one. */
  factorMaxAge?: number;
  /** The requests that it concerns, as the end of a sentence; all of them if missing. */
  when?: string;
}

/** Returns the sentence about the sign-in that a route requires, for every document. */
function stepUpText({ maxAge, factorMaxAge, when }: RouteStepUp): string {
  const requires = [
    ...(maxAge === undefined ? [] : [`a sign-in or step-up ${ageText(maxAge)}`]),
    ...(factorMaxAge === undefined
      ? []
      : [`a second factor that was proved ${ageText(factorMaxAge)}, if the user has one`]),
  ];
  const condition = when === undefined ? '' : ` ${when}`;
  return `Requires ${requires.join(', and ')}${condition}: otherwise 401 \`reauthentication_required\`.`;
}

/** Returns the description of a route, with the sentences that follow from its definition. */
const descriptionOf = (
  { description, stepUp }: Pick<RouteTexts, 'description'> & { stepUp?: RouteStepUp },
  refusedWhileActing: boolean,
): string =>
  [
    description,
    ...(stepUp ? [stepUpText(stepUp)] : []),
    ...(refusedWhileActing ? ['403, reason `not_while_acting`, while an actor acts for the user.'] : []),
  ].join(' ');

const ageText = (age: number | 'STAFF_STEP_UP'): string =>
  typeof age === 'number' ? `in the last ${age / 60} minutes` : `not longer ago than \`${age}\``;

/** The texts of a route in the OpenAPI document, in addition to its schemas. */
export interface RouteTexts {
  /** Name of the method in generated clients: camelCase, unique, unchanged once released. */
  operationId: string;
  tag: Tag;
  summary: string;
  /** Details for callers, in CommonMark. */
  description: string;
  /** Error codes of the use case, in addition to those of caller, limits and input. */
  failures?: readonly ErrorCode[];
}

/**
 * Makes a response that waits for events or does not end. It has no deadline of five seconds, so it sets its own.
 * @param addIdle takes milliseconds that the response waited on purpose: they are no part of its duration.
 */
export type Delivery = (exchange: Exchange, addIdle: (ms: number) => void) => Promise<HttpResponse>;

/** The description of a `text/event-stream` that a route sends to clients that accept one. */
interface EventStreamTexts {
  description: string;
  example: string;
}

/** The definition of a route: data plus one call. */
interface RouteSpec<
  Identity,
  Headers extends z.ZodObject,
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Reply extends z.ZodType,
> extends RouteTexts {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** In OpenAPI notation: `/internal/users/{id}`. */
  path: string;
  /**
   * The rate limit by address that a request counts towards: that of sign-ins (`public-login`), which is checked before
   * anything else, or that of anonymous requests, which is checked after the input has been validated
   * (`anonymous-write`), or when the token of a mail was rejected as unknown, used or expired (`mailed-token`).
   */
  limit?: 'public-login' | 'mailed-token' | 'anonymous-write';
  /**
   * True: the use case hashes a password. It reserves hashing capacity once the input is complete; requests of an address
   * that has none are rejected before their body is read.
   */
  hashesPassword?: boolean;
  /** Rate limit of the use case as text, for the OpenAPI document; the core enforces it. */
  atMost?: string;
  caller: Caller<Identity>;
  /** The sign-in that the use case requires (RFC 9470): it enforces this, the documents derive from it. */
  stepUp?: RouteStepUp;
  /**
   * True: the route is refused in a session in which an actor acts for the user. Defaults to true for a route that requires a
   * step-up of every request: an actor can make none.
   */
  refusedWhileActing?: boolean;
  /** False: the route responds with 404 as if it did not exist. */
  offered?: (auth: Auth) => boolean;
  /** Runs before anything of the request is read; throws when the route is disabled. */
  precondition?: (auth: Auth) => void;
  /** Headers that the use case reads, by lower-case name. */
  headers?: Headers;
  params?: Params;
  query?: Query;
  body?: Body;
  /** `form`: the body is a form, as a standard of others has it. Defaults to JSON. */
  bodyType?: 'json' | 'form';
  /** True: a request without a body is treated as one with an empty object. */
  bodyOptional?: boolean;
  /** The body field with a new password. Its faults are reported together with those of other fields. */
  newPassword?: 'password' | 'newPassword';
  /** Parses the response, so that undeclared fields are never sent. */
  reply: Reply;
  /** Defaults to 200. */
  status?: 200 | 201;
  /** Reports whether a result was created: 201 in place of 200. For routes that create or replace. */
  isNew?: (result: unknown) => boolean;
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

/** The definition of any route. */
type AnySpec = RouteSpec<unknown, z.ZodObject, z.ZodType, z.ZodType, z.ZodType, z.ZodType>;

/** What a definition may leave out and a route has. */
type Defaulted =
  | keyof RouteTexts
  | 'hashesPassword'
  | 'refusedWhileActing'
  | 'offered'
  | 'headers'
  | 'params'
  | 'query'
  | 'bodyType'
  | 'bodyOptional'
  | 'status'
  | 'issuesTokens'
  | 'takesRefreshToken'
  | 'endsOwnSession';

/** All properties, undefined where they are optional: every route has one hidden class. */
type Stated<Spec> = { [Name in keyof Required<Spec>]: Spec[Name] };

/** A route with erased types, so that all routes fit in one table. */
export interface Route extends Required<Pick<AnySpec, Defaulted>>, Stated<Omit<AnySpec, Defaulted>> {
  /**
   * `offset`: the handler returns a `Page`, whose total becomes `X-Total-Count`; `cursor`: a `CursorPage`, whose cursor
   * becomes `X-Next-Cursor`; `either`: a `Page` with both.
   */
  paging: 'none' | 'offset' | 'cursor' | 'either';
  /** False: the response is the reply without the envelope. */
  enveloped: boolean;
  /** Seconds that a cache may keep the response; 0 forbids caching. */
  cacheSeconds: number;
  /** The media types of a file that the route sends in place of JSON; undefined for all other routes. */
  fileTypes: readonly string[] | undefined;
  /** Replaces `handle` for a limit that is too great for one array. */
  handleInSlices: ((input: Parameters<AnySpec['handle']>[0]) => Promise<SlicedPage<unknown>>) | undefined;
  /** Replaces `handle` for responses that wait or do not end. */
  deliver: ((input: Parameters<AnySpec['handle']>[0]) => Delivery) | undefined;
  eventStream: EventStreamTexts | undefined;
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
  const { stepUp } = spec;
  const refusedWhileActing = spec.refusedWhileActing ?? (stepUp !== undefined && stepUp.when === undefined);
  return {
    method: spec.method,
    path: spec.path,
    operationId: spec.operationId,
    tag: spec.tag,
    summary: spec.summary,
    description: descriptionOf(spec, refusedWhileActing),
    // A route that is not offered responds with 404.
    failures: [...(spec.offered ? (['not_found'] as const) : []), ...(spec.failures ?? [])],
    limit: spec.limit,
    hashesPassword: spec.hashesPassword ?? false,
    atMost: spec.atMost,
    // Identity, parameters, query and body come from the same spec, so the erased types always fit.
    caller: spec.caller,
    stepUp: spec.stepUp,
    refusedWhileActing,
    offered: spec.offered ?? always,
    precondition: spec.precondition,
    headers: spec.headers ?? nothing,
    params: spec.params ?? nothing,
    query: spec.query ?? nothing,
    body: spec.body,
    bodyType: spec.bodyType ?? 'json',
    bodyOptional: spec.bodyOptional ?? false,
    newPassword: spec.newPassword,
    reply: spec.reply,
    status: spec.status ?? 200,
    isNew: spec.isNew,
    issuesTokens: spec.issuesTokens ?? false,
    takesRefreshToken: spec.takesRefreshToken ?? false,
    endsOwnSession: (spec.endsOwnSession ?? never) as Route['endsOwnSession'],
    paging: 'none',
    enveloped: true,
    cacheSeconds: 0,
    fileTypes: undefined,
    handle: spec.handle as Route['handle'],
    handleInSlices: undefined,
    deliver: undefined,
    eventStream: undefined,
    answered: spec.answered,
  };
}

type ListInput<
  Identity,
  Headers extends z.ZodType,
  Params extends z.ZodType,
  Filter extends z.ZodType,
> = RouteInput<Identity, z.output<Headers>, z.output<Params>, z.output<Filter> & PageRequest, undefined>;

interface ListSpec<
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
  /** The query parameters in addition to those of paging. */
  filter?: Filter;
  /** True: the list grows and is ordered by time, so it can also be read by cursor. */
  grows?: boolean;
  item: Item;
  handle: (input: ListInput<Identity, Headers, Params, Filter>) => Promise<Page<z.input<Item>>>;
  /** A maximum limit above 1,000, and the reading of pages above 1,000: slice by slice, while they are sent. */
  long?: {
    maxLimit: number;
    handle: (input: ListInput<Identity, Headers, Params, Filter>) => Promise<SlicedPage<z.input<Item>>>;
  };
  answered?: (auth: Auth, status: number) => void;
}

/**
 * Creates a list route: `limit` and `offset` in the query, an array as data, the total in `X-Total-Count`. A list that grows also
 * takes a `cursor`, and has the next one in `X-Next-Cursor`.
 */
export function listRoute<
  Identity,
  Headers extends z.ZodObject = typeof nothing,
  Params extends z.ZodType = typeof nothing,
  Filter extends z.ZodObject = typeof nothing,
  Item extends z.ZodType = z.ZodType,
>(spec: ListSpec<Identity, Headers, Params, Filter, Item>): Route {
  const { filter, item, long, grows = false, handle, ...rest } = spec;
  const paging = grows ? growingPageInput : pageInput;
  const query = paging(long?.maxLimit).extend((filter ?? nothing).shape);
  const erased = handle as Route['handle'];
  return {
    ...route({ ...rest, method: 'get', query, reply: z.array(item), handle: () => [] }),
    paging: grows ? 'either' : 'offset',
    handle: erased,
    handleInSlices: long?.handle as Route['handleInSlices'],
  };
}

interface CursorSpec<
  Identity,
  Params extends z.ZodType,
  Filter extends z.ZodObject,
  Item extends z.ZodType,
> extends RouteTexts {
  path: string;
  caller: Caller<Identity>;
  offered?: (auth: Auth) => boolean;
  params?: Params;
  filter: Filter;
  item: Item;
  handle: (
    input: RouteInput<Identity, object, z.output<Params>, z.output<Filter> & CursorRequest, undefined>,
  ) => Promise<CursorPage<z.input<Item>>>;
}

/** Creates a list route for growing lists: `limit` and `cursor` in the query, the next cursor in `X-Next-Cursor`. */
export function cursorRoute<
  Identity,
  Filter extends z.ZodObject,
  Item extends z.ZodType,
  Params extends z.ZodType = typeof nothing,
>(spec: CursorSpec<Identity, Params, Filter, Item>): Route {
  const { filter, item, handle, ...rest } = spec;
  const query = cursorInput().extend(filter.shape);
  const erased = handle as Route['handle'];
  return {
    ...route({ ...rest, method: 'get', query, reply: z.array(item), handle: () => [] }),
    paging: 'cursor',
    handle: erased,
  };
}

interface DeliveredSpec<
  Identity,
  Headers extends z.ZodObject,
  Query extends z.ZodType,
  Reply extends z.ZodType,
> extends RouteTexts {
  path: string;
  caller: Caller<Identity>;
  headers: Headers;
  query: Query;
  /** Describes the JSON response; the delivery sends nothing else. */
  reply: Reply;
  eventStream: EventStreamTexts;
  /** The use case of a JSON response, which `deliver` runs. */
  handle: (
    input: RouteInput<Identity, z.output<Headers>, object, z.output<Query>, undefined>,
  ) => Promise<z.input<Reply>>;
  deliver: (input: RouteInput<Identity, z.output<Headers>, object, z.output<Query>, undefined>) => Delivery;
}

/** Creates a route whose response waits for events, or is a stream of them. */
export function deliveredRoute<
  Identity,
  Headers extends z.ZodObject,
  Query extends z.ZodType,
  Reply extends z.ZodType,
>(spec: DeliveredSpec<Identity, Headers, Query, Reply>): Route {
  const { deliver, eventStream, ...rest } = spec;
  return {
    ...route({ ...rest, method: 'get' }),
    deliver: deliver as Route['deliver'],
    eventStream,
  };
}
